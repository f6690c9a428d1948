/** Changes to a subscription, each within its caller's transaction. */
import type { Money } from "#contract/billing/money/money.ts";
import type { ChangeQuote, ChangeRequest, UnpaidTime } from "../../payment-provider.ts";
import { ProviderRefusal, QuoteStale, subscriptionEnded } from "../../payment-provider.ts";
import type { Connection } from "#platform/database.ts";
import { makeBill, payerOf, settleBill } from "../sums/bill.ts";
import { cycleBoundary, toSecond } from "../sums/billing-cycle.ts";
import { fullLines, priceItems, type FindPrice } from "../sums/items.ts";
import type { Outcome } from "./once.ts";
import { openConfirmation } from "./open-page.ts";
import { owedLines } from "./quote-resume.ts";
import { planChange, quoteOf, type PlannedChange } from "./quote-change.ts";
import { endSubscription, tell, tryOpenInvoice, voidOpenInvoice, type Held } from "../run-due.ts";
import { holdSubscription, updateSubscription, type SubscriptionRow } from "../sandbox-rows.ts";
import type { ChargeOutcome } from "../sums/test-cards.ts";

export interface Change {
  tx: Connection;
  findPrice: FindPrice;
  /** The panel's address; the sandbox's pages are below it. */
  publicUrl: string;
  now: Date;
  /** Whether the customer has just confirmed to their bank. */
  confirmed: boolean;
}

/** Prices a change for an active subscription. Like a real provider, the sandbox changes no subscription with a debt. */
export async function prepareChange(
  findPrice: FindPrice,
  held: Held,
  request: ChangeRequest,
  quotedAt: Date,
): Promise<{ planned: PlannedChange; quote: ChangeQuote }> {
  const { subscription, customer } = held;
  if (subscription.status !== "active" && subscription.status !== "trialing")
    throw new ProviderRefusal(`A subscription that is ${subscription.status} cannot be changed.`);
  const items = await priceItems(findPrice, request.purchase, subscription.currency);
  const planned = planChange(subscription, customer, items, request.billing, toSecond(quotedAt));
  return { planned, quote: quoteOf(planned, subscription, customer, toSecond(quotedAt)) };
}

/** Changes and charges as quoted, or not at all. Throws QuoteStale if the sum has changed. */
export async function changeSubscription(
  change: Change,
  request: ChangeRequest,
  quoted: { quotedAt: Date; expectedDueNow: { amount: number; currency: string } },
): Promise<Outcome<string>> {
  const { tx, now } = change;
  const held = await holdSubscription(tx, request.subscriptionId);
  if (quoted.quotedAt < held.subscription.periodStartsAt || toSecond(quoted.quotedAt) > now)
    throw new QuoteStale("The quote is for another period.");
  const { planned, quote } = await prepareChange(change.findPrice, held, request, quoted.quotedAt);
  if (quote.dueNow.amount !== quoted.expectedDueNow.amount || quote.dueNow.currency !== quoted.expectedDueNow.currency)
    throw new QuoteStale("The sum due has changed.");
  const moment = { at: now, now };
  const { outcome } = await settleBill(
    tx,
    planned.bill,
    { ...held, card: held.customer.card },
    { occasion: "change", confirmed: change.confirmed, failedBefore: 0 },
    moment,
    false,
  );
  if (outcome.kind !== "paid")
    return refused(change, held, outcome, {
      kind: "change",
      request,
      quotedAt: quoted.quotedAt.toISOString(),
      expectedDueNow: quoted.expectedDueNow,
    });
  await tell(tx, "subscription.updated", await updateSubscription(tx, held.subscription.id, planned.changes, now), moment);
  return { value: held.subscription.id };
}

export async function setCancel({ tx, now }: Change, id: string, cancels: boolean): Promise<Outcome<string>> {
  const held = await holdSubscription(tx, id);
  const { subscription } = held;
  if (subscription.status === "canceled") throw subscriptionEnded();
  // A paused subscription has no paid period left.
  if (cancels && subscription.status === "paused") await endSubscription(tx, held, { at: now, now });
  else if (subscription.cancelsAtPeriodEnd !== cancels) {
    await tell(tx, "subscription.updated", await updateSubscription(tx, id, { cancelsAtPeriodEnd: cancels }, now), { at: now, now });
  }
  return { value: id };
}

export async function endNow({ tx, now }: Change, id: string): Promise<Outcome<string>> {
  const held = await holdSubscription(tx, id);
  if (held.subscription.status !== "canceled") await endSubscription(tx, held, { at: now, now });
  return { value: id };
}

/**
 * Charges a new period from now, as quoted if the customer was shown a sum, and what was used of the old one. The rest of that
 * period's debt is dropped, since it was not delivered.
 */
export async function resumeSubscription(
  change: Change,
  id: string,
  expectedDueNow: Money | null,
  unpaid: UnpaidTime | null,
): Promise<Outcome<string>> {
  const { tx, now } = change;
  const held = await holdSubscription(tx, id);
  const { subscription } = held;
  if (subscription.status === "active") return { value: id };
  if (subscription.status !== "paused") throw new ProviderRefusal(`A subscription that is ${subscription.status} cannot be resumed.`);
  const customer = await voidOpenInvoice(tx, held);
  const startsAt = toSecond(now);
  const periodEndsAt = cycleBoundary(startsAt, subscription.items.cycle, 1);
  const lines = [...fullLines(subscription.items, { from: startsAt, to: periodEndsAt }), ...owedLines(subscription, unpaid)];
  const bill = makeBill(lines, payerOf(customer, subscription.taxInclusive));
  if (expectedDueNow && (bill.due !== expectedDueNow.amount || customer.currency !== expectedDueNow.currency))
    throw new QuoteStale("The sum due has changed.");
  const moment = { at: now, now };
  const { outcome } = await settleBill(
    tx,
    bill,
    { subscription, customer, card: customer.card },
    { occasion: "renewal", confirmed: change.confirmed, failedBefore: 0 },
    moment,
    false,
  );
  if (outcome.kind !== "paid")
    return refused(change, held, outcome, {
      kind: "resume",
      expectedDueNow: { amount: bill.due, currency: customer.currency },
      ...(unpaid ? { unpaid: { from: unpaid.from.toISOString(), to: unpaid.to.toISOString() } } : {}),
    });
  const resumed = await updateSubscription(
    tx,
    id,
    {
      status: "active",
      paidItems: subscription.items,
      anchorAt: startsAt,
      periodNumber: 0,
      periodStartsAt: startsAt,
      periodEndsAt,
      dueAt: periodEndsAt,
      pausedAt: null,
      pastDueAt: null,
      retries: [],
      cancelsAtPeriodEnd: false,
    },
    now,
  );
  await tell(tx, "subscription.resumed", resumed, moment);
  return { value: id };
}

/** Tries to collect the open invoice now; planned retries stay as they were. */
export async function retryOpenPayment(change: Change, id: string): Promise<Outcome<string>> {
  const { tx, now } = change;
  const held = await holdSubscription(tx, id);
  if (held.subscription.status === "active") return { value: id };
  if (held.subscription.status !== "past_due")
    throw new ProviderRefusal(`A subscription that is ${held.subscription.status} has no payment to try again.`);
  const { outcome } = await tryOpenInvoice(tx, held, { occasion: "renewal", confirmed: change.confirmed }, { at: now, now });
  return outcome.kind === "paid" ? { value: id } : refused(change, held, outcome, { kind: "retry" });
}

/** What waits for the customer to confirm with their bank. */
export type Waiting =
  | { kind: "change"; request: ChangeRequest; quotedAt: string; expectedDueNow: { amount: number; currency: string } }
  | { kind: "resume"; expectedDueNow: { amount: number; currency: string }; unpaid?: { from: string; to: string } }
  | { kind: "retry" };

async function refused(
  change: Change,
  { subscription }: { subscription: SubscriptionRow },
  outcome: Exclude<ChargeOutcome, { kind: "paid" }>,
  waiting: Waiting,
): Promise<Outcome<string>> {
  if (outcome.kind === "declined") return { declined: outcome.reason };
  return {
    confirm: { message: outcome.reason, url: await openConfirmation(change.tx, subscription, waiting, change.publicUrl, change.now) },
  };
}
