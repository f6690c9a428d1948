/** Lets a limited number in, some wait in order, and the rest are refused: no flood of one kind of work takes all capacity. */
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../app-error.ts";

interface GateOptions {
  atOnce: number;
  mostWaiting: number;
  /** The name of the work, for the log. */
  what: string;
  /** Refuses only after this long: a client that retries immediately costs less while it waits. */
  refuseAfterMs?: number;
}

interface Gate {
  /**
   * Does the work in its turn. Throws AppError `unavailable` if too many already wait, and if `isGone` says that the
   * caller has left.
   */
  run<T>(work: () => Promise<T>, isGone?: () => boolean): Promise<T>;
}

/** A separate gate; two processes have two. */
export function createGate({ atOnce, mostWaiting, what, refuseAfterMs = 0 }: GateOptions): Gate {
  const refusal = (internal: string) => new AppError("unavailable", { retryAfterSeconds: 2, internal });
  const waiting: (() => void)[] = [];
  let running = 0;
  const comeIn = async (): Promise<void> => {
    if (running < atOnce) return void (running += 1);
    if (waiting.length >= mostWaiting) {
      if (refuseAfterMs > 0) await delay(refuseAfterMs);
      throw refusal(`too many ${what}`);
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const goOut = (): void => {
    // The place is handed over rather than released, so that no later caller overtakes.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  return {
    async run(work, isGone) {
      await comeIn();
      try {
        if (isGone?.()) throw refusal("no caller is waiting for it any longer");
        return await work();
      } finally {
        goOut();
      }
    },
  };
}
