import type { Round, Rounds } from "./rounds.ts";

/** Work that is looked for when somebody says that there is some, for speed, and every so often, for what nobody said or heard. */
export interface WakeLoop {
  /** Something may be due: look now. While a look is under way, any number of these make one more. */
  wake(): void;
  /** Looks now, and from now on by itself every `sweepEveryMs`. */
  start(sweepEveryMs: number): void;
  /** Begins nothing more and waits for what is under way. May be called again. */
  stop(): Promise<void>;
}

export interface WakeLoopWork {
  /** Does what is due. Never called while it runs; a long one asks between its parts whether it should end. */
  work(isStopping: () => boolean): Promise<void>;
  /** Work that throws is tried again with the next wake or sweep. */
  onError(error: unknown): void;
  /** Follows it by this name, so that one that stands still is seen. */
  followed?: { by: Rounds | undefined; name: string };
}

/** A loop that only follows `wake` until it is started. */
export function createWakeLoop({ work, onError, followed }: WakeLoopWork): WakeLoop {
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
      await work(isStopping).catch(onError);
      // With an error, too: it went round, and the error was told.
      round?.went();
    }
    running = undefined;
  }
  function wake(): void {
    again = true;
    if (!stopping) running ??= run();
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
