/** Takes away what has run out: nothing depends on it, since every look-up asks for the time, but tables must not grow for ever. */
import { lt } from "drizzle-orm";
import { linkTokens, sessions } from "#database/tables.ts";
import { deleteOldAttempts } from "#domain/attempts/attempt-store.ts";
import { after, dayMs, hourMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";

/** Links stay a day longer, so that whoever comes late is told that theirs has expired and not that it never was. */
const linkRestMs = dayMs;

/** Deletes ended sessions, links that ended a day ago, and tries of yesterday. */
export async function sweepCredentials(db: Database, now: Date): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, now));
  await db.delete(linkTokens).where(lt(linkTokens.expiresAt, after(now, -linkRestMs)));
  await deleteOldAttempts(db, now);
}

/** Sweeps now and every hour until stopped. Several processes may do so at once. */
export function startCredentialSweep(db: Database, clock: Clock, log: Log): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const sweep = () => {
    running = sweepCredentials(db, clock.now()).catch((error: unknown) => log.warn({ err: error }, "ended sessions and links could not be swept"));
  };
  sweep();
  const timer = setInterval(sweep, hourMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
