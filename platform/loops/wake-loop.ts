import { AsyncLocalStorage } from "node:async_hooks";
import type { Round, Rounds } from "./rounds.ts";

/** Runs work on a wake-up, and periodically in case a wake-up was missed. */
export interface WakeLoop {
  /** Work may be due: look now. During a run, any number of calls cause one more. */
  wake(): void;
  /** Looks now, and then every `sweepEveryMs`. */
  start(sweepEveryMs: number): void;
  /** Starts nothing more and waits for the current run. May be called again. */
  stop(): Promise<void>;
}

interface WakeLoopWork {
  /** Does the due work. Never called while it runs; long work checks between its parts whether it should end. */
  work(isStopping: () => boolean): Promise<void>;
  /** Failed work is retried with the next wake or sweep. */
  onError(error: unknown): void;
  /** Tracks the loop under this name, so that a hanging one is noticed. */
  followed?: { by: Rounds | undefined; name: string };
}

/**
 * A loop that only runs on `wake` until it is started. Its work runs in the context in which the loop was created: a wake-up may come from
 * other work, whose reads, trace and time limit are not this work's.
 */
export function createWakeLoop({ work, onError, followed }: WakeLoopWork): WakeLoop {
  const outside = AsyncLocalStorage.snapshot();
  let running: Promise<void> | undefined;
  let again = false;
  let stopping = false;
  let sweep: NodeJS.Timeout | undefined;
  let round: Round | undefined;
  const isStopping = (): boolean => {
    round?.went();
    return stopping;
  };

  async function run(): Promise<void> {
    while (again && !stopping) {
      again = false;
      let isOk = true;
      await work(isStopping).catch((error: unknown) => {
        isOk = false;
        onError(error);
      });
      // After an error as well: the round took place, and the error was reported.
      round?.ended(isOk);
    }
    running = undefined;
  }
  function wake(): void {
    again = true;
    if (!stopping) running ??= outside(run);
  }
  return {
    wake,
    start(sweepEveryMs) {
      sweep ??= setInterval(wake, sweepEveryMs);
      round ??= followed?.by?.follow(followed.name, sweepEveryMs);
      wake();
    },
    async stop() {
      stopping = true;
      clearInterval(sweep);
      await running;
      round?.end();
    },
  };
}
