/** Takes away what has run out: nothing depends on it, since every look-up asks for the time, but tables must not grow for ever. */
import { lt } from "drizzle-orm";
import { linkTokens } from "#database/tables.ts";
import { deleteOldAttempts } from "#domain/attempts/attempt-store.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { deleteEndedSessions } from "./session-store.ts";

/** Links stay a day longer, so that a late visitor is told that the link has expired, not that it never existed. */
const linkRestMs = dayMs;

/** Deletes ended sessions, links that ended a day ago, and tries of yesterday. */
export async function sweepCredentials(db: Database, now: Date): Promise<void> {
  await deleteEndedSessions(db, now);
  await db.delete(linkTokens).where(lt(linkTokens.expiresAt, after(now, -linkRestMs)));
  await deleteOldAttempts(db, now);
}
