/**
 * Runs due timers, one account at a time and in chronological order. A timer and its effects are one transaction; timers that ask the
 * provider do so between two transactions, under a lease. A timer acts as of its due time, however late it runs.
 */
import { whatHolds } from "#domain/accounts/suspension-store.ts";
import { isGapOpen } from "#domain/memory-gap/memory-gap-store.ts";
import { lockWorkspace } from "#domain/workspaces/settings/settings-store.ts";
import { after, dayMs, hourMs, secondMs } from "#platform/clock.ts";
import { askedToWaitMs } from "../ask-provider.ts";
import { theService, type Billing } from "../billing.ts";
import { changeSubscription } from "../carry-out.ts";
import { noteUnexpected } from "../note-unexpected.ts";
import { askForTimer } from "../provider-truth/ask-for-timer.ts";
import { applyTimer, isCancelledEnd } from "./subscription-machine.ts";
import { findSubscription, lockSubscription } from "./subscription-store.ts";
import { asksProvider, type TimerKind } from "./subscription-timers.ts";
import {
  changeTimers,
  firstDueTimer,
  failTimers,
  freeTimers,
  hasTimer,
  isArmed,
  leaseTimers,
  lockDueAccount,
  postponeDue,
  refusedNote,
  takeTimer,
  type Attempt,
  type DueTimer,
} from "./timer-store.ts";
import type { Connection } from "#platform/database.ts";
import { ProviderRefusal } from "#payments/payment-provider.ts";

/** What depends on the provider's answer waits for it, however long. */
const backoffMs = (attempts: number): number => Math.min(10 * secondMs * 2 ** attempts, hourMs);

/** Runs everything due now that no other process is running, one account after the other; returns the number of timers run. */
export const runDue = (billing: Billing): Promise<number> => runAll(billing);

/** Like `runDue`, for one account. */
export const runTimersOf = (billing: Billing, accountId: string): Promise<number> => runAll(billing, accountId);

async function runAll(billing: Billing, only?: string): Promise<number> {
  let count = 0;
  for (;;) {
    const ran = await runOne(billing, only);
    if (ran === null) return count;
    count += ran;
  }
}

interface Taken {
  accountId: string;
  timer: DueTimer;
  /** For a timer that asks the provider. */
  attempt: Attempt | null;
}

/** Runs the first due timer of one account; null if no account is due. */
async function runOne(billing: Billing, only?: string): Promise<number | null> {
  const now = billing.clock.now();
  const taken = await billing.db.transaction(async (tx): Promise<Taken | "waits" | null> => {
    const accountId = await lockDueAccount(tx, now, only);
    // What a restored database believes to be due may have been paid, cancelled or put off since.
    if (!accountId || (await isGapOpen(tx))) return null;
    const timer = await firstDueTimer(tx, accountId, now);
    if (!timer) return "waits";
    if (ofDeletion.has(timer.kind) && (await mayNotPay(tx, accountId))) {
      // Once nothing holds the account any more, they are armed anew.
      await postponeDue(tx, accountId, now, after(now, dayMs));
      return "waits";
    }
    const attempt = asksProvider(timer.kind) ? await leaseTimers(tx, accountId, timer, now) : null;
    return { accountId, timer, attempt };
  });
  if (taken === null) return null;
  if (taken === "waits") return 0;
  const { accountId, timer, attempt } = taken;
  if (attempt) return runAsking(billing, accountId, timer, attempt);
  return runTimer(billing, accountId, timer);
}

/**
 * While an account is suspended its owner can't pay, so only what they ended themselves is deleted: postpone-deletion.ts. The workspace of a
 * closed one is deleted already.
 */
async function mayNotPay(tx: Connection, accountId: string): Promise<boolean> {
  const what = await whatHolds(tx, accountId);
  if (what !== "suspended") return what === "closed";
  const subscription = await findSubscription(tx, accountId);
  return subscription !== null && !isCancelledEnd(subscription);
}

/**
 * Runs the timer and its effects in one transaction, and releases the timers behind it. With `attempt`, only if that still has
 * the timer. Returns how many ran.
 */
async function runTimer(billing: Billing, accountId: string, timer: DueTimer, attempt?: Attempt): Promise<number> {
  const { kind, dueAt } = timer;
  const { ran } = await changeSubscription(billing, accountId, { actor: theService, asOf: dueAt }, async ({ tx, held, plans, now }) => {
    // Put off while the provider was asked, such as by a customer who is paying: the answer is out of date.
    if (attempt && !(await hasTimer(tx, accountId, timer, attempt))) return { next: null, ran: 0 };
    if (await isGapOpen(tx)) return { next: null, ran: 0 };
    const isDue = held !== null && (await isArmed(tx, accountId, timer));
    const workspace = ofDeletion.has(kind) ? await lockKeptWorkspace(tx, accountId) : null;
    return {
      ran: 1,
      next: isDue ? applyTimer({ held, kind, dueAt, now, plans, leastNoticeMs: billing.leastNoticeMs, workspace }) : null,
      also: async (writing: Connection) => {
        await takeTimer(writing, accountId, timer);
        if (attempt) await freeTimers(writing, accountId, attempt, now);
      },
    };
  });
  return ran;
}

/** What these do depends on the workspace, which its owner may delete at this moment. */
const ofDeletion: ReadonlySet<TimerKind> = new Set<TimerKind>(["deletion-warning", "deletion"]);

async function lockKeptWorkspace(tx: Connection, accountId: string): Promise<{ life: number } | null> {
  const workspace = await lockWorkspace(tx, accountId);
  return workspace?.desiredState === "deleted" ? null : workspace;
}

/** Asks the provider, then runs the timer, or rearms it if the answer says so. */
async function runAsking(billing: Billing, accountId: string, timer: DueTimer, attempt: Attempt): Promise<number> {
  const { db, clock, log } = billing;
  try {
    const again = await askForTimer(billing, accountId, timer);
    if (!again) return await runTimer(billing, accountId, timer, attempt);
    return await db.transaction(async (tx) => {
      await lockSubscription(tx, accountId);
      if (!(await hasTimer(tx, accountId, timer, attempt))) return 0;
      if (await takeTimer(tx, accountId, timer)) await changeTimers(tx, accountId, { arm: [[timer.kind, again]], clear: [] });
      await freeTimers(tx, accountId, attempt, clock.now());
      return 1;
    });
  } catch (error) {
    log.warn({ err: error, accountId, timer: timer.kind, attempts: timer.attempts }, "a timer failed; it will be retried");
    const message = (error instanceof ProviderRefusal ? refusedNote : "") + (error instanceof Error ? error.message : String(error));
    await db.transaction(async (tx) => {
      await lockSubscription(tx, accountId);
      const now = clock.now();
      await failTimers(
        tx,
        accountId,
        { timer, attempt },
        now,
        after(now, Math.max(backoffMs(timer.attempts), askedToWaitMs(error))),
        message,
      );
    });
    await noteUnexpected(billing, accountId, error, timer.attempts + 1);
    return 0;
  }
}
