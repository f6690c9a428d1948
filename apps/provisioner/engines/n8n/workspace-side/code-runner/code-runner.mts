/**
 * Improves n8n's side of its code runner: limits the size of messages, and gives the true reason when the runner was killed for its memory.
 */
import { once, type EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { startRunnerOnDemand, type RunnerProcess as Startable, type TaskBroker as Broker } from "./runner-on-demand.mts";
import { bufferMb, readShortBuffers, shorten, tooMuch } from "./short-buffers.mts";

interface Message {
  type: string;
  status?: string;
  data?: unknown;
}

interface Requester {
  sendMessage(message: Message): void;
}

interface RunnerProcess extends Startable {
  analyzeExitReason(code: number | null): { reason: string };
  forceRestart(): Promise<void>;
}

interface Analyzer {
  awaitExitSignal(): Promise<string>;
  taskRunnerProcess: EventEmitter;
}

/** After its connection closes, a process with a full heap may take a while to end, above all on a busy host. */
const exitWithinMs = 5_000;

/** @param limitMb the largest message that n8n sends to its runner. */
export function strengthenCodeRunner(limitMb: number): void {
  const require = createRequire(process.argv[1]!);
  readShortBuffers(require);
  const { LocalTaskRequester } = require("../dist/task-runners/task-managers/local-task-requester.js") as {
    LocalTaskRequester: { prototype: Requester };
  };
  shortenAnswers(LocalTaskRequester.prototype, limitMb);
  const { JsTaskRunnerProcess } = require("../dist/task-runners/task-runner-process-js.js") as {
    JsTaskRunnerProcess: { prototype: RunnerProcess };
  };
  nameKills(JsTaskRunnerProcess.prototype);
  const { InternalTaskRunnerDisconnectAnalyzer } = require("../dist/task-runners/internal-task-runner-disconnect-analyzer.js") as {
    InternalTaskRunnerDisconnectAnalyzer: { prototype: Analyzer };
  };
  waitForReasons(InternalTaskRunnerDisconnectAnalyzer.prototype);
  runOnDemand(require, JsTaskRunnerProcess);
}

/** After the other changes of its process, which then also apply here. */
function runOnDemand(require: NodeJS.Require, process: { prototype: RunnerProcess }): void {
  const { Container } = require("@n8n/di") as { Container: { get(type: unknown): never } };
  const { TaskBroker } = require("../dist/task-runners/task-broker/task-broker.service.js") as { TaskBroker: { prototype: Broker } };
  if (!startRunnerOnDemand(process, TaskBroker, { runner: () => Container.get(process), broker: () => Container.get(TaskBroker) }))
    console.warn("the code runner always runs: this release of n8n starts it in another way");
}

function shortenAnswers(requester: Requester, limitMb: number): void {
  const { sendMessage } = requester;
  requester.sendMessage = function send(message) {
    const isAnswer = message.type === "requester:rpcresponse" && message.status === "success";
    const sizeMb = isAnswer ? bufferMb(message.data) : 0;
    if (sizeMb > limitMb) return sendMessage.call(this, { ...message, status: "error", data: tooMuch(sizeMb, limitMb) });
    return sendMessage.call(this, isAnswer ? { ...message, data: shorten(message.data) } : message);
  };
}

/** n8n says "ran out of memory" if the runner's own heap was full, but nothing if the kernel killed it, which kills nothing else. */
function nameKills(prototype: RunnerProcess): void {
  const endedByN8n = new WeakSet<RunnerProcess>();
  const { analyzeExitReason } = prototype;
  for (const end of ["forceRestart", "stop"] as const) {
    const original = prototype[end];
    prototype[end] = function ended() {
      endedByN8n.add(this);
      return original.call(this);
    };
  }
  prototype.analyzeExitReason = function analyze(code) {
    const wasEnded = endedByN8n.delete(this);
    return code === null && !wasEnded ? { reason: "oom" } : analyzeExitReason.call(this, code);
  };
}

/** n8n waits only half a second after the runner's connection closes for the reason, and otherwise reports none. */
function waitForReasons(analyzer: Analyzer): void {
  const { awaitExitSignal } = analyzer;
  analyzer.awaitExitSignal = async function awaitReason() {
    const late = once(this.taskRunnerProcess, "exit", { signal: AbortSignal.timeout(exitWithinMs) }).then(
      ([exit]) => (exit as { reason: string }).reason,
      () => "unknown",
    );
    const reason = await awaitExitSignal.call(this);
    return reason === "unknown" ? late : reason;
  };
}
