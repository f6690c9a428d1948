/** Whether the database answers this process, and since when it does not: for readiness, metrics and the log. */
import { sql } from "drizzle-orm";
import { secondMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { within } from "#platform/loops/within.ts";

export interface DatabaseContact {
  /** 0 while it answers. */
  awaySeconds(): number;
  /** How long ago it came back, in seconds; Infinity if it was never away. */
  backSeconds(): number;
  stop(): void;
}

interface ContactOptions {
  db: Pick<Database, "execute">;
  log: Log;
  /** How many workspaces this process serves without the database; null if it serves none. */
  servesFromMemory(): number | null;
  everyMs?: number;
}

/** As often as a closed route is looked up: a restart that is over sooner is nobody's matter. */
const askEveryMs = 2 * secondMs;
/** A slower database counts as hanging, as for routes. */
const answerWithinMs = 2 * secondMs;

export function followDatabase({ db, log, servesFromMemory, everyMs = askEveryMs }: ContactOptions): DatabaseContact {
  // By `performance.now`, so that changing the clock has no effect.
  let awaySince: number | null = null;
  let backAt = -Infinity;
  let isAsking = false;
  const secondsSince = (at: number): number => (performance.now() - at) / secondMs;

  const ask = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    const askedAt = performance.now();
    try {
      await within(answerWithinMs, "the database", db.execute(sql`select 1`));
      if (awaySince === null) return;
      log.info({ seconds: Math.round(secondsSince(awaySince)) }, "the database answers again");
      awaySince = null;
      backAt = performance.now();
    } catch (err) {
      if (awaySince !== null) return;
      awaySince = askedAt;
      const workspaces = servesFromMemory();
      if (workspaces === null) log.warn({ err }, "the database does not answer");
      else log.warn({ err, workspaces }, "the database does not answer: open workspaces that were visited before are served from memory");
    } finally {
      isAsking = false;
    }
  };
  const timer = setInterval(() => void ask(), everyMs);
  timer.unref();
  return {
    awaySeconds: () => (awaySince === null ? 0 : secondsSince(awaySince)),
    backSeconds: () => secondsSince(backAt),
    stop: () => clearInterval(timer),
  };
}
