/** The SQL of timers. A process that runs an account's timers first locks its subscription, which prevents deadlocks. */
import { and, asc, eq, inArray, lte, sql, type SQL } from "drizzle-orm";
import { subscriptions, timers } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import type { TimerChanges, TimerKind } from "./subscription-timers.ts";

/** Arms and clears the timers of an account; rearming restarts a timer. */
export async function changeTimers(db: Connection, accountId: string, { arm, clear }: TimerChanges): Promise<void> {
  if (clear.length > 0) await db.delete(timers).where(and(eq(timers.accountId, accountId), inArray(timers.kind, clear)));
  if (arm.length === 0) return;
  await db
    .insert(timers)
    .values(arm.map(([kind, dueAt]) => ({ accountId, kind, dueAt, runAt: dueAt })))
    .onConflictDoUpdate({
      target: [timers.accountId, timers.kind],
      set: { dueAt: sql`excluded.due_at`, runAt: sql`excluded.run_at`, attempts: 0, lastError: null },
    });
}

/**
 * The account (or only `only`) whose timer has been due longest, with its subscription locked until the transaction ends;
 * null if none is due and unlocked. Not by `claimRows`: the caller's transaction holds the lock instead of a lease.
 */
export async function lockDueAccount(db: Connection, now: Date, only?: string): Promise<string | null> {
  const found = await db
    .select({ accountId: timers.accountId })
    .from(timers)
    .innerJoin(subscriptions, eq(subscriptions.accountId, timers.accountId))
    .where(and(lte(timers.runAt, now), only === undefined ? undefined : eq(timers.accountId, only)))
    .orderBy(asc(timers.runAt))
    .limit(1)
    .for("update", { of: subscriptions, skipLocked: true });
  return found[0]?.accountId ?? null;
}

export interface DueTimer {
  kind: TimerKind;
  dueAt: Date;
  attempts: number;
}

/** The account's first due timer. Null if none is due, or if the first has to wait: then all due timers wait with it. */
export async function firstDueTimer(db: Connection, accountId: string, now: Date): Promise<DueTimer | null> {
  const found = await db
    .select({ kind: timers.kind, dueAt: timers.dueAt, runAt: timers.runAt, attempts: timers.attempts })
    .from(timers)
    .where(and(eq(timers.accountId, accountId), lte(timers.dueAt, now)))
    .orderBy(asc(timers.dueAt), asc(timers.kind))
    .limit(1);
  const first = found[0];
  if (!first) return null;
  if (first.runAt <= now) return { ...first, kind: first.kind as TimerKind };
  await postponeDue(db, accountId, now, first.runAt);
  return null;
}

/** The account's due timers wait until then; they act as of their due time. */
export async function postponeDue(db: Connection, accountId: string, now: Date, until: Date): Promise<void> {
  await db
    .update(timers)
    .set({ runAt: sql`greatest(${timers.runAt}, ${until.toISOString()}::timestamptz)` })
    .where(and(eq(timers.accountId, accountId), lte(timers.dueAt, now)));
}

const same = (accountId: string, { kind, dueAt }: Pick<DueTimer, "kind" | "dueAt">) =>
  and(eq(timers.accountId, accountId), eq(timers.kind, kind), eq(timers.dueAt, dueAt));

/** Whether the timer is still there as it was read. */
export async function isArmed(db: Connection, accountId: string, timer: Pick<DueTimer, "kind" | "dueAt">): Promise<boolean> {
  return (await db.select({ kind: timers.kind }).from(timers).where(same(accountId, timer))).length > 0;
}

/** Before the error of a timer whose attempt the provider has refused: it has not been made. */
export const refusedNote = "refused: ";

/** Whether what this timer asks of the provider may have been made: an attempt is under way, or was not answered. */
export async function mayHaveBeenMade(db: Connection, accountId: string, kind: TimerKind): Promise<boolean> {
  const [found] = await db
    .select({ attempts: timers.attempts, lastError: timers.lastError })
    .from(timers)
    .where(and(eq(timers.accountId, accountId), eq(timers.kind, kind)));
  return found !== undefined && found.attempts > 0 && !found.lastError?.startsWith(refusedNote);
}

/** Removes a timer; false if another process has removed or rearmed it. */
export async function takeTimer(db: Connection, accountId: string, timer: Pick<DueTimer, "kind" | "dueAt">): Promise<boolean> {
  return (await db.delete(timers).where(same(accountId, timer)).returning({ kind: timers.kind })).length > 0;
}

/** Whether the timer is still held until `until`; false if it was put off or taken over since. True if it no longer exists. */
export async function isHeldUntil(
  db: Connection,
  accountId: string,
  timer: Pick<DueTimer, "kind" | "dueAt">,
  until: Date,
): Promise<boolean> {
  const [found] = await db.select({ runAt: timers.runAt }).from(timers).where(same(accountId, timer));
  return !found || found.runAt.getTime() === until.getTime();
}

/** Holds every due timer of the account: those behind a running one must not overtake it. */
export async function holdTimers(
  db: Connection,
  accountId: string,
  timer: Pick<DueTimer, "kind" | "dueAt">,
  now: Date,
  until: Date,
  error: string | null,
): Promise<void> {
  await postponeDue(db, accountId, now, until);
  // A new attempt does not forget that the timer was put off: else each attempt could be put off again.
  const lastError = error?.slice(0, 500) ?? sql`case when ${timers.lastError} = ${putOffNote} then ${timers.lastError} end`;
  await db
    .update(timers)
    .set({ attempts: sql`${timers.attempts} + 1`, lastError })
    .where(same(accountId, timer));
}

/** Releases held timers: due as before. */
export async function freeTimers(db: Connection, accountId: string, now: Date): Promise<void> {
  await db
    .update(timers)
    .set({ runAt: sql`${timers.dueAt}` })
    .where(and(eq(timers.accountId, accountId), lte(timers.dueAt, now)));
}

/** In `lastError` from the moment a timer was put off until an attempt fails. */
const putOffNote = "put off: the customer is about to pay";

/**
 * Puts off one kind of timer by `mostMs` from `now`, if it is armed, and never by more in total: the customer is about to make it
 * unnecessary. A timer that was not run when it was due, as after an outage, counts from now, once, even while a worker already asks the
 * provider about it.
 */
export async function putOffTimer(db: Connection, accountId: string, kind: TimerKind, now: Date, mostMs: number): Promise<void> {
  const later = (from: SQL) => sql`${from} + make_interval(secs => ${mostMs / 1000})`;
  const at = sql`${now.toISOString()}::timestamptz`;
  const wasPutOff = sql`${timers.runAt} <> ${timers.dueAt} and ${timers.lastError} is not distinct from ${putOffNote}`;
  const isLate = sql`${timers.dueAt} < ${at} and not (${wasPutOff})`;
  const until = sql`greatest(${timers.runAt}, case when ${isLate} then ${later(at)} else least(${later(at)}, ${later(sql`${timers.dueAt}`)}) end)`;
  await db
    .update(timers)
    .set({ runAt: until, lastError: sql`case when ${until} > ${timers.runAt} then ${putOffNote} else ${timers.lastError} end` })
    .where(and(eq(timers.accountId, accountId), eq(timers.kind, kind)));
}

/** Restores the due time of a timer that was put off. */
export async function putBackTimer(db: Connection, accountId: string, kind: TimerKind): Promise<void> {
  await db
    .update(timers)
    .set({ runAt: sql`${timers.dueAt}` })
    .where(and(eq(timers.accountId, accountId), eq(timers.kind, kind)));
}
