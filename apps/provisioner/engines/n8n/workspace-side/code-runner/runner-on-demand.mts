/**
 * Starts n8n's code runner with the first Code node, and ends it when none has run for a while: idle, it takes 113 MB (measured, 2.40.7).
 * n8n guarantees none of the functions replaced here. If a release lacks one, the runner always runs, as in n8n itself.
 */
import { setTimeout as sleep } from "node:timers/promises";

/** n8n's runner process. `start` is also what restarts it after a crash. */
export interface RunnerProcess {
  /** Null while it does not run. */
  process: unknown;
  runnerId: string | null;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Assigns tasks to runners; a request waits there until a runner offers to take it. */
export interface TaskBroker {
  tasks: { size: number };
  pendingTaskRequests: readonly unknown[];
  /** While n8n ends: it refuses new tasks. */
  isDraining?: boolean;
  taskRequested(request: { taskType: string }): void;
  discardOffersFrom(runnerId: string): void;
  messageRunner(runnerId: string, message: { type: string }): Promise<void>;
}

/** A workflow that runs each minute keeps its runner: each start of one takes 1 to 3 s. */
const usualIdleMs = 90_000;
const retryMs = 1_000;

/**
 * `runner` and `broker` are n8n's classes of the process and its broker; `one` finds the one of each that exists. n8n has started the
 * process by now; it is ended.
 * Returns false, and changes nothing, if this release differs.
 */
export function startRunnerOnDemand(
  runner: { prototype: RunnerProcess },
  broker: { prototype: TaskBroker },
  one: { runner(): RunnerProcess; broker(): TaskBroker },
  idleMs = usualIdleMs,
): boolean {
  const { start } = runner.prototype;
  const { taskRequested, discardOffersFrom, messageRunner } = broker.prototype;
  const replaced = [start, runner.prototype.stop, taskRequested, discardOffersFrom, messageRunner];
  if (!replaced.every((each) => typeof each === "function")) return false;
  let isWanted = false;
  let isChanging = false;
  let idle: NodeJS.Timeout | undefined;
  let starting: Promise<void> | undefined;

  /** After a crash n8n starts it too, and checks only whether one runs, not whether one is being started. */
  const startOnce = async (process: RunnerProcess): Promise<void> => {
    if (process.process === null) await (starting ??= start.call(process).finally(() => (starting = undefined)));
  };

  /** Brings the process into the desired state, one change at a time. */
  const change = async (): Promise<void> => {
    if (isChanging) return;
    isChanging = true;
    const process = one.runner();
    try {
      while (isWanted !== (process.process !== null)) await (isWanted ? startUntilItRuns(process) : end(process));
    } catch (error) {
      console.error(`the code runner could not be ended: ${(error as Error).message}`);
    } finally {
      isChanging = false;
    }
  };
  const startUntilItRuns = (process: RunnerProcess): Promise<void> =>
    startOnce(process).catch(async (error: Error) => {
      console.error(`the code runner could not be started: ${error.message}`);
      await sleep(retryMs);
    });
  const end = async (process: RunnerProcess): Promise<void> => {
    const { runnerId } = process;
    if (runnerId !== null) {
      // Its latest offers must not be accepted: the next task waits for the next runner.
      one.broker().discardOffersFrom(runnerId);
      // Otherwise it keeps taking tasks after the signal to stop, until n8n kills it 2 s later, together with the tasks it runs by then.
      await one.broker().messageRunner(runnerId, { type: "broker:drain" });
    }
    await process.stop();
  };
  const endWhenIdle = (): void => {
    clearTimeout(idle);
    idle = setTimeout(() => {
      // Fields that a release names differently count as busy.
      const dealer = one.broker();
      if (dealer.tasks?.size !== 0 || dealer.pendingTaskRequests?.length !== 0) return endWhenIdle();
      isWanted = false;
      void change();
    }, idleMs).unref();
  };

  // n8n calls it at its own start, and again after each end of the process that n8n did not request.
  runner.prototype.start = async function startIfWanted() {
    if (isWanted) await startOnce(this);
  };
  broker.prototype.taskRequested = function requested(request) {
    if (request.taskType === "javascript" && !this.isDraining) {
      isWanted = true;
      void change();
      endWhenIdle();
    }
    return taskRequested.call(this, request);
  };
  void change();
  return true;
}
