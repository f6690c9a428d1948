/** Deletes obsolete rows every hour, so that tables do not grow without limit. */
import { hourMs, type Clock } from "../clock.ts";
import type { Database } from "../database.ts";
import type { Log } from "../log.ts";
import type { Rounds } from "./rounds.ts";

/** Deletes what has expired by `now`; safe to run in several processes simultaneously. */
type Sweep = (db: Database, now: Date) => Promise<void>;

/** Runs every sweep now and each hour until stopped. A failed one does not stop the others, and is retried in an hour. */
export function startSweep(
  sweeps: Readonly<Record<string, Sweep>>,
  { db, clock, log, rounds }: { db: Database; clock: Clock; log: Log; rounds?: Rounds },
): { stop(): Promise<void> } {
  let stopped = false;
  const round = rounds?.follow("sweeps", hourMs);
  const sweepAll = async () => {
    let isOk = true;
    for (const [what, sweep] of Object.entries(sweeps)) {
      if (stopped) return;
      await sweep(db, clock.now()).catch((error: unknown) => {
        isOk = false;
        log.warn({ err: error, what }, "expired rows could not be deleted");
      });
      round?.went();
    }
    round?.ended(isOk);
  };
  let running = sweepAll();
  const timer = setInterval(() => (running = running.then(sweepAll)), hourMs);
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
      round?.end();
    },
  };
}
