/**
 * Runs what falls due, one account at a time and in the order of time. A timer and its effects are one transaction; those
 * that ask the provider do so between two, under a lease. A timer acts as of when it was due, however late it is run.
 */
import { after, hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import { theService, type Billing } from "../billing.ts";
import { askForTimer } from "../provider-truth/ask-for-timer.ts";
import { readPlans } from "#domain/plans/plan-facts-store.ts";
import { applyTimer } from "./subscription-machine.ts";
import { lockSubscription, saveSubscription } from "./subscription-store.ts";
import { asksProvider } from "./subscription-timers.ts";
import {
  changeTimers,
  firstDueTimer,
  freeTimers,
  holdTimers,
  isHeldUntil,
  lockDueAccount,
  takeTimer,
  type DueTimer,
} from "./timer-store.ts";
import type { Connection } from "#platform/database.ts";

/** A killed worker's timer is due again after this; longer than the provider may take. */
export const timerLeaseMs = 2 * minuteMs;
/** What must not happen without the provider's word waits for it, however long. */
const backoffMs = (attempts: number): number => Math.min(10 * secondMs * 2 ** attempts, hourMs);

/** Runs everything that is due now and that nobody else runs, one account after the other; returns how many timers ran. */
export const runDue = (billing: Billing): Promise<number> => runAll(billing);

/** The same for one account. */
export const runTimersOf = (billing: Billing, accountId: string): Promise<number> => runAll(billing, accountId);

async function runAll(billing: Billing, only?: string): Promise<number> {
  let count = 0;
  for (;;) {
    const ran = await runOneAccount(billing, only);
    if (ran === null) return count;
    count += ran;
  }
}

interface Asking {
  accountId: string;
  timer: DueTimer;
  heldUntil: Date;
}

/** The timers of one account, up to the first that asks the provider, and that one; null when no account is due. */
async function runOneAccount(billing: Billing, only?: string): Promise<number | null> {
  const now = billing.clock.now();
  let count = 0;
  const next = await billing.db.transaction(async (tx): Promise<Asking | "done" | null> => {
    const accountId = await lockDueAccount(tx, now, only);
    if (!accountId) return null;
    for (;;) {
      const timer = await firstDueTimer(tx, accountId, now);
      if (!timer) return "done";
      if (asksProvider(timer.kind)) {
        const heldUntil = after(now, timerLeaseMs);
        await holdTimers(tx, accountId, timer, now, heldUntil, null);
        return { accountId, timer, heldUntil };
      }
      await runTimer(tx, billing, accountId, timer);
      count += 1;
    }
  });
  if (next === null) return null;
  if (next === "done") return count;
  return count + (await runAsking(billing, next));
}

/** In the transaction that holds the lock. */
async function runTimer(tx: Connection, billing: Billing, accountId: string, timer: DueTimer): Promise<void> {
  if (!(await takeTimer(tx, accountId, timer))) return;
  const held = await lockSubscription(tx, accountId);
  if (!held) return;
  const plans = await readPlans(tx);
  const next = applyTimer({
    held,
    kind: timer.kind,
    dueAt: timer.dueAt,
    now: billing.clock.now(),
    plans,
    leastNoticeMs: billing.leastNoticeMs,
  });
  if (next) await saveSubscription(tx, { billing, accountId, held, next, plans, actor: theService, asOf: timer.dueAt });
}

async function runAsking(billing: Billing, { accountId, timer, heldUntil }: Asking): Promise<number> {
  const { db, clock, log } = billing;
  try {
    const again = await askForTimer(billing, accountId, timer);
    return await db.transaction(async (tx) => {
      await lockSubscription(tx, accountId);
      // Put off while it was asked, such as by a customer who is paying just now: what was asked is not the last word.
      if (!(await isHeldUntil(tx, accountId, timer, heldUntil))) return 0;
      if (!again) await runTimer(tx, billing, accountId, timer);
      else if (await takeTimer(tx, accountId, timer)) await changeTimers(tx, accountId, { arm: [[timer.kind, again]], clear: [] });
      await freeTimers(tx, accountId, clock.now());
      return 1;
    });
  } catch (error) {
    log.warn(
      { err: error, account: accountId, timer: timer.kind, attempts: timer.attempts },
      "a timer could not be run; it is tried again",
    );
    const message = error instanceof Error ? error.message : String(error);
    await db.transaction(async (tx) => {
      await lockSubscription(tx, accountId);
      const now = clock.now();
      await holdTimers(tx, accountId, timer, now, after(now, backoffMs(timer.attempts)), message);
    });
    return 0;
  }
}
