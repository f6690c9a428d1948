/**
 * The SQL of calls counted by all processes together. An address is only kept as a part of a hash, which counts for a minute, or a day if
 * accounts were registered there, and is deleted within an hour after; a session's, a known browser's or an account's counts for a minute
 * or a day.
 */
import { createHash } from "node:crypto";
import { and, eq, gt, sql } from "drizzle-orm";
import { callCounts } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

/**
 * Counts a call, or as many as `added`; returns how many there were in its minute or other window, these included, and the seconds until
 * that ends.
 */
export async function countCall(
  db: Connection,
  what: string,
  subject: string,
  windowSeconds = 60,
  added = 1,
): Promise<{ calls: number; waitSeconds: number }> {
  const key = keyOf(what, subject);
  const end = sql`clock_timestamp() + make_interval(secs => ${windowSeconds})`;
  // Also over if it ends later than a whole window from now: then the clock was set back.
  const isOver = sql`${callCounts.until} not between clock_timestamp() and ${end}`;
  const [row] = await db
    .insert(callCounts)
    .values({ key, calls: added, until: end })
    .onConflictDoUpdate({
      target: callCounts.key,
      set: {
        calls: sql`case when ${isOver} then ${added}::int else ${callCounts.calls} + ${added}::int end`,
        until: sql`case when ${isOver} then excluded.until else ${callCounts.until} end`,
      },
    })
    .returning({ calls: callCounts.calls, left: sql<number>`extract(epoch from ${callCounts.until} - clock_timestamp())::float8` });
  return { calls: row!.calls, waitSeconds: Math.max(1, Math.ceil(row!.left)) };
}

/** How many calls were counted in the current window, and the seconds until it ends; counts none. */
export async function readCalls(db: Connection, what: string, subject: string): Promise<{ calls: number; waitSeconds: number }> {
  const [row] = await db
    .select({ calls: callCounts.calls, left: sql<number>`extract(epoch from ${callCounts.until} - clock_timestamp())::float8` })
    .from(callCounts)
    .where(and(eq(callCounts.key, keyOf(what, subject)), gt(callCounts.until, sql`clock_timestamp()`)));
  return { calls: row?.calls ?? 0, waitSeconds: Math.max(1, Math.ceil(row?.left ?? 0)) };
}

const keyOf = (what: string, subject: string): string => createHash("sha256").update(`${what}\0${subject}`).digest("hex");
