/** The SQL of timers. A process that runs an account's timers first locks its subscription, which prevents deadlocks. */
import { and, asc, eq, inArray, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import { after, secondMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { isFreeNow, leaseFor } from "#platform/postgres/claim-rows.ts";
import { noLease } from "#platform/postgres/queue.ts";
import { subscriptions, timers } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import type { TimerChanges, TimerKind } from "./subscription-timers.ts";

/** When a killed worker's timer is due again; longer than the provider may take. */
const timerLeaseSeconds = 120;
/** Leased by no living worker. */
export const isFreeTimer = isFreeNow(timers.leaseUntil, timerLeaseSeconds);

/** Arms and clears the timers of an account; rearming restarts a timer. */
export async function changeTimers(db: Connection, accountId: string, { arm, clear }: TimerChanges): Promise<void> {
  if (clear.length > 0) await db.delete(timers).where(and(eq(timers.accountId, accountId), inArray(timers.kind, clear)));
  if (arm.length === 0) return;
  await db
    .insert(timers)
    .values(arm.map(([kind, dueAt]) => ({ accountId, kind, dueAt, runAt: dueAt })))
    .onConflictDoUpdate({
      target: [timers.accountId, timers.kind],
      set: { dueAt: sql`excluded.due_at`, runAt: sql`excluded.run_at`, attempts: 0, lastError: null, ...noLease },
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
    .where(and(lte(timers.runAt, now), isFreeTimer, only === undefined ? undefined : eq(timers.accountId, only)))
    .orderBy(asc(timers.runAt))
    .limit(1)
    .for("no key update", { of: subscriptions, skipLocked: true });
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
    .select({
      kind: timers.kind,
      dueAt: timers.dueAt,
      runAt: timers.runAt,
      attempts: timers.attempts,
      isFree: isFreeTimer,
    })
    .from(timers)
    .where(and(eq(timers.accountId, accountId), lte(timers.dueAt, now)))
    .orderBy(asc(timers.dueAt), asc(timers.kind))
    .limit(1);
  const first = found[0];
  if (!first) return null;
  // All due ones are leased together; one that came since waits for them.
  if (!first.isFree) await shareLease(db, accountId, now);
  else if (first.runAt <= now) return { kind: first.kind, dueAt: first.dueAt, attempts: first.attempts };
  else await postponeDue(db, accountId, now, first.runAt);
  return null;
}

/** The account's due timers wait until then; they act as of their due time. */
export async function postponeDue(db: Connection, accountId: string, now: Date, until: Date): Promise<void> {
  await db
    .update(timers)
    .set({ runAt: notBefore(until) })
    .where(and(eq(timers.accountId, accountId), lte(timers.dueAt, now)));
}

const notBefore = (until: Date): SQL => sql`greatest(${timers.runAt}, ${until.toISOString()}::timestamptz)`;

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

/** One attempt of a timer that asks the provider. */
export interface Attempt {
  token: string;
  /**
   * To which the attempt moved the timers' `run_at`. A release that knows no leases, and may run beside this one, takes them by that time
   * alone, and moves it when it puts a timer off.
   */
  until: Date;
}

/** Whether the attempt still has the timer; false if it was put off or taken over since. True if it no longer exists. */
export async function hasTimer(
  db: Connection,
  accountId: string,
  timer: Pick<DueTimer, "kind" | "dueAt">,
  { token, until }: Attempt,
): Promise<boolean> {
  const [found] = await db.select({ leaseOwner: timers.leaseOwner, runAt: timers.runAt }).from(timers).where(same(accountId, timer));
  return !found || (found.leaseOwner === token && found.runAt <= until);
}

/**
 * Begins an attempt: leases every due timer of the account by the database's clock, because those behind a running one must not overtake it.
 */
export async function leaseTimers(db: Connection, accountId: string, timer: Pick<DueTimer, "kind" | "dueAt">, now: Date): Promise<Attempt> {
  const token = newId();
  const until = after(now, timerLeaseSeconds * secondMs);
  await db
    .update(timers)
    .set({ leaseOwner: token, leaseUntil: leaseFor(timerLeaseSeconds), runAt: notBefore(until) })
    .where(and(eq(timers.accountId, accountId), lte(timers.dueAt, now)));
  // A new attempt does not forget that the timer was put off: else each attempt could be put off again.
  const lastError = sql`case when ${timers.lastError} = ${putOffNote} then ${timers.lastError} end`;
  await db
    .update(timers)
    .set({ attempts: sql`${timers.attempts} + 1`, lastError })
    .where(same(accountId, timer));
  return { token, until };
}

/** The account's due timers get the lease of the first of them. */
async function shareLease(db: Connection, accountId: string, now: Date): Promise<void> {
  const due = sql`select lease_owner, lease_until, run_at from timers where account_id = ${accountId} and due_at <= ${now.toISOString()}::timestamptz order by due_at, kind limit 1`;
  await db.execute(sql`
    update timers set lease_owner = first.lease_owner, lease_until = first.lease_until, run_at = greatest(timers.run_at, first.run_at) from (${due}) first
    where account_id = ${accountId} and due_at <= ${now.toISOString()}::timestamptz`);
}

/** Ends the attempt, which failed: all due timers of the account wait until then. */
export async function failTimers(
  db: Connection,
  accountId: string,
  { timer, attempt }: { timer: Pick<DueTimer, "kind" | "dueAt">; attempt: Attempt },
  now: Date,
  until: Date,
  error: string,
): Promise<void> {
  await db
    .update(timers)
    .set({ runAt: dueAgain(attempt), ...noLease })
    .where(and(eq(timers.accountId, accountId), eq(timers.leaseOwner, attempt.token)));
  await postponeDue(db, accountId, now, until);
  await db
    .update(timers)
    .set({ attempts: sql`${timers.attempts} + 1`, lastError: error.slice(0, 500) })
    .where(same(accountId, timer));
}

/** Ends the attempt: the account's due timers are due as before, except those that another attempt has leased. */
export async function freeTimers(db: Connection, accountId: string, attempt: Attempt, now: Date): Promise<void> {
  const isOurs = eq(timers.leaseOwner, attempt.token);
  await db
    .update(timers)
    .set({ runAt: sql`case when ${isOurs} then ${dueAgain(attempt)} else ${timers.dueAt} end`, ...noLease })
    .where(and(eq(timers.accountId, accountId), lte(timers.dueAt, now), or(isOurs, isNull(timers.leaseOwner))));
}

/** Due as before the attempt, unless the timer was put off since. */
const dueAgain = ({ until }: Attempt): SQL =>
  sql`case when ${timers.runAt} <= ${until.toISOString()}::timestamptz then ${timers.dueAt} else ${timers.runAt} end`;

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
    .set({
      runAt: until,
      lastError: sql`case when ${until} > ${timers.runAt} then ${putOffNote} else ${timers.lastError} end`,
      // An attempt that is under way has lost it: its answer is out of date.
      leaseOwner: sql`case when ${until} > ${timers.runAt} then null else ${timers.leaseOwner} end`,
      leaseUntil: sql`case when ${until} > ${timers.runAt} then null else ${timers.leaseUntil} end`,
    })
    .where(and(eq(timers.accountId, accountId), eq(timers.kind, kind)));
}

/** Restores the due time of a timer that was put off. */
export async function putBackTimer(db: Connection, accountId: string, kind: TimerKind): Promise<void> {
  await db
    .update(timers)
    .set({ runAt: sql`${timers.dueAt}` })
    .where(and(eq(timers.accountId, accountId), eq(timers.kind, kind)));
}
