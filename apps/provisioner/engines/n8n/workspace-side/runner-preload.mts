/**
 * Loaded by n8n's code runner before its own program (--import). It makes the kernel kill the runner before n8n when memory runs out, and
 * refuses data from a node that would be too large for n8n: only that execution fails, with a reason.
 */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { bufferMb, bytesInAMb, readShortBuffers, shorten, tooMuch } from "./code-runner/short-buffers.mts";

interface Message {
  type: string;
  params?: unknown[];
}

interface Runner {
  ws: { send(text: string): void };
  send(message: Message): void;
  makeRpcCall(taskId: string, name: string, params: unknown[]): Promise<unknown>;
}

/** The kernel kills the process with the highest score first. */
const highestScore = "1000";
const movesFiles = /BinaryData/;
const limitMb = Number(new URL(import.meta.url).searchParams.get("messageMb"));

/** n8n sends an error's own enumerable properties, so the message must be one of them. */
function refusal(sizeMb: number): Error {
  return Object.defineProperty(new Error(tooMuch(sizeMb, limitMb)), "message", { enumerable: true });
}

function send(this: Runner, message: Message): void {
  const buffersMb = message.params?.reduce<number>((sum, each) => sum + bufferMb(each), 0) ?? 0;
  if (buffersMb > limitMb) throw refusal(buffersMb);
  const text = JSON.stringify(message.params ? { ...message, params: message.params.map(shorten) } : message);
  const sizeMb = Buffer.byteLength(text) / bytesInAMb;
  if (sizeMb > limitMb) throw refusal(sizeMb);
  this.ws.send(text);
}

/** Makes calls that move files take turns: each is in n8n's memory several times until it is answered, and ten tasks run in parallel. */
function takeTurns(makeRpcCall: Runner["makeRpcCall"]): Runner["makeRpcCall"] {
  let last: Promise<unknown> = Promise.resolve();
  return function makeCall(this: Runner, taskId, name, params) {
    if (!movesFiles.test(name)) return makeRpcCall.call(this, taskId, name, params);
    const call = last.then(() => makeRpcCall.call(this, taskId, name, params));
    last = call.catch(() => undefined);
    return call;
  };
}

try {
  writeFileSync("/proc/self/oom_score_adj", highestScore);
} catch {
  // Not Linux: the system decides alone.
}
const require = createRequire(process.argv[1]!);
readShortBuffers(require);
const { prototype } = (require("./task-runner.js") as { TaskRunner: { prototype: Runner } }).TaskRunner;
prototype.send = send;
prototype.makeRpcCall = takeTurns(prototype.makeRpcCall);
