/** Changes to a subscription, each within its caller's transaction. */
import type { Money } from "#contract/billing/money/money.ts";
import type { ChangeQuote, ChangeRequest, UnpaidTime } from "../../payment-provider.ts";
import { ProviderRefusal, QuoteStale, subscriptionEnded } from "../../payment-provider.ts";
import type { Connection } from "#platform/database.ts";
import { toSecond } from "../../ledger/billing-cycle.ts";
import { priceItems, type FindPrice } from "../../ledger/items.ts";
import { change as changeTo, end, resume, resumption, setCancel as setCancelTo, tryOpen, type Turn } from "../../ledger/ledger.ts";
import { planChange, quoteOf, type PlannedChange } from "../../ledger/quote-change.ts";
import { accountOf, carryOut, type Held } from "../carry-out.ts";
import { holdSubscription, type SubscriptionRow } from "../sandbox-rows.ts";
import type { Outcome } from "./once.ts";
import { openConfirmation } from "./open-page.ts";

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
  const { tx, now, confirmed } = change;
  const account = await accountOf(tx, await holdSubscription(tx, request.subscriptionId));
  if (quoted.quotedAt < account.subscription.periodStartsAt || toSecond(quoted.quotedAt) > now)
    throw new QuoteStale("The quote is for another period.");
  const { planned, quote } = await prepareChange(change.findPrice, account, request, quoted.quotedAt);
  if (quote.dueNow.amount !== quoted.expectedDueNow.amount || quote.dueNow.currency !== quoted.expectedDueNow.currency)
    throw new QuoteStale("The sum due has changed.");
  const { expectedDueNow, quotedAt } = quoted;
  const waiting: Waiting = { kind: "change", request, quotedAt: quotedAt.toISOString(), expectedDueNow };
  return write(change, account, changeTo(account, planned, confirmed, now), waiting);
}

export async function setCancel(change: Change, id: string, cancels: boolean): Promise<Outcome<string>> {
  const account = await accountOf(change.tx, await holdSubscription(change.tx, id));
  if (account.subscription.status === "canceled") throw subscriptionEnded();
  return write(change, account, setCancelTo(account, cancels, change.now));
}

export async function endNow(change: Change, id: string): Promise<Outcome<string>> {
  const account = await accountOf(change.tx, await holdSubscription(change.tx, id));
  if (account.subscription.status === "canceled") return { value: id };
  return write(change, account, end(account, change.now));
}

/**
 * Charges a new period from now, as quoted if the customer was shown a sum, and what was used of the old one. `begins`: the period begins
 * even if that fails.
 */
export async function resumeSubscription(
  change: Change,
  id: string,
  expectedDueNow: Money | null,
  unpaid: UnpaidTime | null,
  begins = false,
): Promise<Outcome<string>> {
  const { tx, now, confirmed } = change;
  const account = await accountOf(tx, await holdSubscription(tx, id));
  const { subscription, customer } = account;
  if (subscription.status === "active") return { value: id };
  if (subscription.status !== "paused") throw new ProviderRefusal(`A subscription that is ${subscription.status} cannot be resumed.`);
  const { bill } = resumption(account, unpaid, now);
  if (expectedDueNow && (bill.due !== expectedDueNow.amount || customer.currency !== expectedDueNow.currency))
    throw new QuoteStale("The sum due has changed.");
  const turn = resume(account, unpaid, { confirmed, begins }, now);
  if (begins) {
    await carryOut(tx, account, turn, { at: now, now });
    return { value: id };
  }
  return write(change, account, turn, {
    kind: "resume",
    expectedDueNow: { amount: bill.due, currency: customer.currency },
    ...(unpaid ? { unpaid: { from: unpaid.from.toISOString(), to: unpaid.to.toISOString() } } : {}),
  });
}

/** Tries to collect the open invoice now; planned retries stay as they were. */
export async function retryOpenPayment(change: Change, id: string): Promise<Outcome<string>> {
  const { tx, now, confirmed } = change;
  const account = await accountOf(tx, await holdSubscription(tx, id));
  if (account.subscription.status === "active") return { value: id };
  if (account.subscription.status !== "past_due")
    throw new ProviderRefusal(`A subscription that is ${account.subscription.status} has no payment to try again.`);
  return write(change, account, tryOpen(account, { occasion: "renewal", confirmed }, now), { kind: "retry" });
}

/** What waits for the customer to confirm with their bank. */
export type Waiting =
  | { kind: "change"; request: ChangeRequest; quotedAt: string; expectedDueNow: { amount: number; currency: string } }
  | { kind: "resume"; expectedDueNow: { amount: number; currency: string }; unpaid?: { from: string; to: string } }
  | { kind: "retry" };

/** Writes a turn. Where its bank asks the customer to confirm, `waiting` is what they confirm. */
async function write(change: Change, held: Held, turn: Turn, waiting?: Waiting): Promise<Outcome<string>> {
  const { tx, now, publicUrl } = change;
  await carryOut(tx, held, turn, { at: now, now });
  const { outcome } = turn;
  const { subscription }: { subscription: SubscriptionRow } = held;
  if (outcome.kind === "declined") return { declined: outcome.reason };
  if (outcome.kind === "paid" || !waiting) return { value: subscription.id };
  return { confirm: { message: outcome.reason, url: await openConfirmation(tx, subscription, waiting, publicUrl, now) } };
}
