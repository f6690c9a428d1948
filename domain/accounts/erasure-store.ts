/** The SQL of erasures as a queue: closed accounts whose day has come, one worker at a time for each. */
import { and, asc, eq, inArray, isNotNull, isNull, lte, or, gt, sql } from "drizzle-orm";
import { accounts } from "#database/tables.ts";
import { after, hourMs, minuteMs } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";
import { claimRows } from "#platform/postgres/claim-rows.ts";

/** What has to end before an account is erased: the comparison after a restored dump, money, the workspace, its copies, the last mail. */
export type ErasureWait = NonNullable<(typeof accounts.$inferSelect)["erasureWaitsFor"]>;

/** Longer than a try takes: a worker that is killed is replaced then. */
const claimedMs = 5 * minuteMs;
/** Nothing tells when what it waits for ends. */
const waitMs = minuteMs;
/** After failures: 1, 2, 4 … minutes, at most six hours. */
const mostPauseMs = 6 * hourMs;
const mostDoublings = 9;

/** Takes due ones, the longest due first; a try that is due later than any pause comes from a clock that was set back. */
export async function claimErasures(db: Connection, now: Date, most: number): Promise<string[]> {
  const { id, eraseAt, erasedAt, erasureDueAt: dueAt } = accounts;
  const isNow = or(isNull(dueAt), lte(dueAt, now), gt(dueAt, after(now, 2 * mostPauseMs)));
  const claimed = await claimRows(db, accounts, {
    key: id,
    due: and(isNotNull(eraseAt), isNull(erasedAt), lte(eraseAt, now), isNow),
    order: [asc(eraseAt)],
    most,
    set: { erasureDueAt: after(now, claimedMs) },
  }).returning({ id });
  return claimed.map((row) => row.id);
}

/** Marks that the erasure has begun, and its day is now at the latest. Locked by `lockClosing` before. */
export async function writeErasing(tx: Connection, accountId: string, now: Date): Promise<void> {
  await tx
    .update(accounts)
    .set({
      erasingSince: sql`coalesce(${accounts.erasingSince}, ${now.toISOString()}::timestamptz)`,
      eraseAt: sql`least(${accounts.eraseAt}, ${now.toISOString()}::timestamptz)`,
      erasureDueAt: now,
    })
    .where(eq(accounts.id, accountId));
}

/** It is tried again soon. */
export async function noteWait(db: Connection, accountId: string, wait: ErasureWait | null, now: Date): Promise<void> {
  const set = { erasureWaitsFor: wait, erasureError: null, erasureAttempts: 0, erasureDueAt: after(now, waitMs) };
  await db
    .update(accounts)
    .set(set)
    .where(and(eq(accounts.id, accountId), isNull(accounts.erasedAt)));
}

/** It is tried again, later after each failure. */
export async function noteFailure(db: Connection, accountId: string, message: string, now: Date): Promise<void> {
  const pause = sql`least(${mostPauseMs}, ${minuteMs} * power(2, least(${accounts.erasureAttempts}, ${mostDoublings})))`;
  await db
    .update(accounts)
    .set({
      erasureWaitsFor: null,
      erasureError: message,
      erasureAttempts: sql`${accounts.erasureAttempts} + 1`,
      erasureDueAt: sql`${now.toISOString()}::timestamptz + make_interval(secs => (${pause}) / 1000)`,
    })
    .where(and(eq(accounts.id, accountId), isNull(accounts.erasedAt)));
}

/** Locks it against everything that refers to it, until the transaction ends. False if another transaction holds it, or it was erased. */
export async function lockToErase(tx: Connection, accountId: string): Promise<boolean> {
  const locked = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNull(accounts.erasedAt)))
    .for("update", { skipLocked: true });
  return locked.length > 0;
}

/** Those of these accounts that exist and are not erased. */
export async function listNotErased(db: Connection, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const found = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(inArray(accounts.id, [...ids]), isNull(accounts.erasedAt)));
  return found.map(({ id }) => id);
}

/** Whether it was erased. True stays true; false stays false until the transaction ends, since it holds the account's row. */
export async function isErased(tx: Connection, accountId: string): Promise<boolean> {
  const [row] = await tx.select({ erasedAt: accounts.erasedAt }).from(accounts).where(eq(accounts.id, accountId)).for("share");
  return row?.erasedAt != null;
}
