/** Lets so many in at once, some wait for their turn in order, and the rest is turned away: no flood of one kind of work takes all there is. */
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../app-error.ts";

export interface GateOptions {
  atOnce: number;
  mostWaiting: number;
  /** What there is too much of, for the log. */
  what: string;
  /** Turned away only after this long: whoever comes back at once costs less when they wait for their refusal. */
  refuseAfterMs?: number;
}

export interface Gate {
  /**
   * Does the work in its turn. Throws AppError `unavailable` where too many wait already, and where `isGone` says that nobody
   * waits for the answer any more.
   */
  run<T>(work: () => Promise<T>, isGone?: () => boolean): Promise<T>;
}

/** A gate of its own; two processes have two. */
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
    // The place is handed on, not given back, so that nobody overtakes.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  return {
    async run(work, isGone) {
      await comeIn();
      try {
        if (isGone?.()) throw refusal("nobody waits for it any more");
        return await work();
      } finally {
        goOut();
      }
    },
  };
}
