/**
 * What happens to subscriptions over time: they renew, retry failed payments, pause and end. Each step runs in its own
 * transaction, as of the time it was due, so a clock that jumps a year causes twelve renewals in order, each once.
 */
import { after, dayMs } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import { makeBill, payerOf, settleBill, settleOpenInvoice } from "./sums/bill.ts";
import { cycleBoundary, isSameCycle } from "./sums/billing-cycle.ts";
import { emitEvent, type Moment, type SandboxEventType } from "./webhooks/emit-event.ts";
import { fullLines } from "./sums/items.ts";
import {
  findDueSubscription,
  findInvoice,
  holdSubscription,
  setInvoiceStatus,
  updateCustomer,
  updateSubscription,
  type CustomerRow,
  type SubscriptionRow,
} from "./sandbox-rows.ts";
import type { ChargeOutcome } from "./sums/test-cards.ts";

/** Days after the first failure on which it retries; if the last retry fails, the subscription pauses. */
export const retryDays = [1, 3, 5, 7] as const;
const pauseAfterDays = 7;

export interface Held {
  subscription: SubscriptionRow;
  customer: CustomerRow;
}

/** Does everything due at `now`; resolves with the number of steps. */
export async function runDue(db: Database, now: Date): Promise<number> {
  let steps = 0;
  while (await runOneStep(db, now)) steps += 1;
  return steps;
}

async function runOneStep(db: Database, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const id = await findDueSubscription(tx, now);
    if (id === undefined) return false;
    const held = await holdSubscription(tx, id);
    const at = held.subscription.dueAt!;
    const moment = { at, now };
    if (held.subscription.status === "past_due") await retryOrPause(tx, held, moment);
    else if (held.subscription.cancelsAtPeriodEnd) await endSubscription(tx, held, moment);
    else await renew(tx, held, moment);
    return true;
  });
}

async function renew(tx: Connection, { subscription, customer }: Held, moment: Moment): Promise<void> {
  const { items, paidItems } = subscription;
  const period = isSameCycle(items.cycle, paidItems.cycle)
    ? { anchorAt: subscription.anchorAt, periodNumber: subscription.periodNumber + 1 }
    : { anchorAt: moment.at, periodNumber: 0 };
  const periodEndsAt = cycleBoundary(period.anchorAt, items.cycle, period.periodNumber + 1);
  const renewed = await updateSubscription(
    tx,
    subscription.id,
    { ...period, status: "active", paidItems: items, periodStartsAt: moment.at, periodEndsAt, dueAt: periodEndsAt },
    moment.at,
  );
  const bill = makeBill(fullLines(items, { from: moment.at, to: periodEndsAt }), payerOf(customer, subscription.taxInclusive));
  const { outcome, invoice } = await settleBill(
    tx,
    bill,
    { subscription, customer, card: customer.card },
    { occasion: "renewal", confirmed: false, failedBefore: 0 },
    moment,
    true,
  );
  if (outcome.kind === "paid") return tell(tx, "subscription.updated", renewed, moment);
  const planned = isHard(outcome) ? [] : retryDays.map((days) => after(moment.at, days * dayMs));
  const pastDue = await updateSubscription(
    tx,
    subscription.id,
    {
      status: "past_due",
      pastDueAt: moment.at,
      openInvoiceId: invoice?.id ?? null,
      retries: [
        { at: moment.at.toISOString(), outcome: "failed" },
        ...planned.map((at) => ({ at: at.toISOString(), outcome: "planned" as const })),
      ],
      dueAt: planned[0] ?? after(moment.at, pauseAfterDays * dayMs),
    },
    moment.at,
  );
  await tell(tx, "subscription.past_due", pastDue, moment);
}

async function retryOrPause(tx: Connection, held: Held, moment: Moment): Promise<void> {
  const { subscription } = held;
  const isTry = subscription.retries.some(({ at, outcome }) => outcome === "planned" && Date.parse(at) <= moment.at.getTime());
  if (!isTry) return pause(tx, held, moment);
  const { outcome, subscription: tried } = await tryOpenInvoice(tx, held, { occasion: "renewal", confirmed: false }, moment);
  if (outcome.kind === "paid") return;
  const isLast = moment.at.getTime() >= after(tried.pastDueAt!, pauseAfterDays * dayMs).getTime();
  if (isLast) await pause(tx, { ...held, subscription: tried }, moment);
}

/**
 * Tries to collect the open invoice of a past-due subscription. Paid: the subscription is active again. Declined: the attempt is recorded;
 * a permanent decline removes the planned retries, since only another card can help.
 */
export async function tryOpenInvoice(
  tx: Connection,
  { subscription, customer }: Held,
  attempt: { occasion: "renewal" | "new-card"; confirmed: boolean },
  moment: Moment,
): Promise<{ outcome: ChargeOutcome; subscription: SubscriptionRow }> {
  const invoice = subscription.openInvoiceId ? await findInvoice(tx, subscription.openInvoiceId) : undefined;
  const outcome: ChargeOutcome = invoice
    ? await settleOpenInvoice(tx, invoice, { subscription, customer, card: customer.card }, attempt, moment)
    : { kind: "paid" };
  if (outcome.kind === "paid") {
    const active = await updateSubscription(
      tx,
      subscription.id,
      { status: "active", pastDueAt: null, openInvoiceId: null, retries: [], dueAt: subscription.periodEndsAt },
      moment.at,
    );
    await tell(tx, "subscription.updated", active, moment);
    return { outcome, subscription: active };
  }
  const past = subscription.retries.filter(({ outcome: was }) => was === "failed");
  const planned = isHard(outcome)
    ? []
    : subscription.retries.filter(({ at, outcome: was }) => was === "planned" && Date.parse(at) > moment.at.getTime());
  const tried = await updateSubscription(
    tx,
    subscription.id,
    {
      retries: [...past, { at: moment.at.toISOString(), outcome: "failed" }, ...planned],
      dueAt: planned[0] ? new Date(planned[0].at) : after(subscription.pastDueAt!, pauseAfterDays * dayMs),
    },
    moment.at,
  );
  await tell(tx, "subscription.updated", tried, moment);
  return { outcome, subscription: tried };
}

async function pause(tx: Connection, held: Held, moment: Moment): Promise<void> {
  const { subscription } = held;
  if (subscription.cancelsAtPeriodEnd) return void (await endSubscription(tx, held, moment));
  await voidOpenInvoice(tx, held);
  const paused = await updateSubscription(
    tx,
    subscription.id,
    {
      status: "paused",
      pausedAt: moment.at,
      openInvoiceId: null,
      dueAt: null,
      retries: subscription.retries.filter(({ outcome }) => outcome === "failed"),
    },
    moment.at,
  );
  await tell(tx, "subscription.paused", paused, moment);
}

/** Ends the subscription: nothing more is charged and it cannot be resumed. */
export async function endSubscription(tx: Connection, held: Held, moment: Moment): Promise<SubscriptionRow> {
  await voidOpenInvoice(tx, held);
  const ended = await updateSubscription(
    tx,
    held.subscription.id,
    { status: "canceled", endedAt: moment.at, openInvoiceId: null, dueAt: null, retries: [], cancelsAtPeriodEnd: false },
    moment.at,
  );
  await tell(tx, "subscription.canceled", ended, moment);
  return ended;
}

/** Unpaid time that was not used is not owed; any credit used in the invoice is returned. */
export async function voidOpenInvoice(tx: Connection, { subscription, customer }: Held): Promise<CustomerRow> {
  if (!subscription.openInvoiceId) return customer;
  const invoice = await findInvoice(tx, subscription.openInvoiceId);
  if (invoice?.status !== "open") return customer;
  await setInvoiceStatus(tx, invoice.id, "void");
  return updateCustomer(tx, customer.id, { credit: customer.credit + invoice.creditUsed });
}

export async function tell(tx: Connection, type: SandboxEventType, subscription: SubscriptionRow, moment: Moment): Promise<void> {
  await emitEvent(
    tx,
    type,
    { subscriptionId: subscription.id, customerId: subscription.customerId, accountId: subscription.accountId },
    moment,
  );
}

const isHard = (outcome: ChargeOutcome): boolean => outcome.kind === "declined" && outcome.hard;
