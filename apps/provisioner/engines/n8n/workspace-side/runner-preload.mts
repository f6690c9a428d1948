/**
 * Loaded by n8n's code runner before its own program (--import). It limits the runner's memory, makes the kernel kill the runner before n8n
 * if memory runs out nevertheless, and refuses data from a node that would be too large for n8n: only that execution fails, with a reason.
 */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { limitMemory } from "./code-runner/limit-memory.mts";
import { bufferMb, bytesInAMb, readShortBuffers, shorten, tooMuch, type ShortBuffer } from "./code-runner/short-buffers.mts";

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
const settings = new URL(import.meta.url).searchParams;
const limitMb = Number(settings.get("messageMb"));
const moreMb = Number(settings.get("moreMb"));
setFlagsFromString("--expose-gc");
/** V8's own function, taken from a private context, so that the customer's code cannot call it. */
const collect = runInNewContext("gc") as () => void;
setFlagsFromString("--no-expose-gc");

/** n8n sends an error's own enumerable properties, so the message must be one of them. */
function refusal(sizeMb: number): Error {
  return Object.defineProperty(new Error(tooMuch(sizeMb, limitMb)), "message", { enumerable: true });
}

/** JSON in which each buffer is base64, as `shorten` makes it. The base64 is put in last, because JSON.stringify copies it several times. */
function writeMessage({ params, ...message }: Message): string {
  const mark = randomUUID();
  const files: string[] = [];
  const marked = params?.map((each) => {
    if (!Buffer.isBuffer(each)) return each;
    const { data, ...form } = shorten(each) as ShortBuffer;
    files.push(data);
    return { ...form, data: mark };
  });
  return files.reduce((text, file) => text.replace(mark, () => file), JSON.stringify({ ...message, params: marked }));
}

function send(this: Runner, message: Message): void {
  const buffersMb = message.params?.reduce<number>((sum, each) => sum + bufferMb(each), 0) ?? 0;
  if (buffersMb > limitMb) throw refusal(buffersMb);
  const text = writeMessage(message);
  const sizeMb = Buffer.byteLength(text) / bytesInAMb;
  if (sizeMb > limitMb) throw refusal(sizeMb);
  this.ws.send(text);
}

/** Only a buffer that is refused memory is tried again after a collection; anything else that is refused it ends the process. */
function makeRoom(): void {
  if (process.memoryUsage.rss() > (moreMb / 2) * bytesInAMb) collect();
}

/** Makes calls that move files take turns: each is in n8n's memory several times until it is answered, and ten tasks run in parallel. */
function takeTurns(makeRpcCall: Runner["makeRpcCall"]): Runner["makeRpcCall"] {
  let last: Promise<unknown> = Promise.resolve();
  return function makeCall(this: Runner, taskId, name, params) {
    if (!movesFiles.test(name)) return makeRpcCall.call(this, taskId, name, params);
    const call = last.then(() => {
      makeRoom();
      return makeRpcCall.call(this, taskId, name, params);
    });
    last = call.catch(() => undefined);
    return call;
  };
}

try {
  writeFileSync("/proc/self/oom_score_adj", highestScore);
} catch {
  // Not Linux: the system decides alone.
}
const unlimited = limitMemory(moreMb);
if (unlimited !== undefined && process.platform === "linux") console.warn(`this code runner has no memory limit of its own: ${unlimited}`);
const require = createRequire(process.argv[1]!);
readShortBuffers(require);
const { prototype } = (require("./task-runner.js") as { TaskRunner: { prototype: Runner } }).TaskRunner;
prototype.send = send;
prototype.makeRpcCall = takeTurns(prototype.makeRpcCall);
