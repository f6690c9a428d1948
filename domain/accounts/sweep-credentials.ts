/** Deletes expired credentials. Nothing depends on it, since every look-up checks the time, but tables must not grow without end. */
import { lt } from "drizzle-orm";
import { linkTokens } from "#database/tables.ts";
import { deleteOldAttempts } from "#domain/attempts/attempt-store.ts";
import { deleteOldCallCounts } from "#domain/attempts/call-count-store.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { deleteEndedSessions } from "./sessions/session-store.ts";

/** Links are kept a day longer, so that a late visitor is told that the link has expired, not that it never existed. */
const linkRestMs = dayMs;

/** Deletes ended sessions, links that expired a day ago, sign-in attempts of yesterday, and counts of past minutes. */
export async function sweepCredentials(db: Database, now: Date): Promise<void> {
  await deleteEndedSessions(db, now);
  await db.delete(linkTokens).where(lt(linkTokens.expiresAt, after(now, -linkRestMs)));
  await deleteOldAttempts(db, now);
  await deleteOldCallCounts(db);
}
