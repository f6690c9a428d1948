/** The fake Stripe's invoices: how a sum is made up, and how it is collected. */
import type { ChargeOutcome } from "#payments/ledger/charge.ts";
import { chargeCard } from "#payments/sandbox/test-cards.ts";
import { addUp } from "#payments/ledger/bill.ts";
import { cycleBoundary, firstPeriod, nextPeriod, restOf, type Cycle, type Period } from "#payments/ledger/billing-cycle.ts";
import { proportion } from "#payments/ledger/money-math.ts";
import { invalid } from "../wire/stripe-error.ts";
import { invoiceEvent, subscriptionEvent } from "../wire/stripe-events.ts";
import {
  newStripeId,
  type Customer,
  type Invoice,
  type Item,
  type Line,
  type Price,
  type State,
  type Subscription,
  type Tax,
} from "../stripe-state.ts";

export const priceOf = (state: State, id: string): Price => state.prices.get(id) ?? fail(`No such price: '${id}'`);
const fail = (message: string): never => {
  throw invalid(message);
};

const dateOf = (seconds: number): Date => new Date(seconds * 1000);
const cycleOf = ({ interval, count }: Price["recurring"]): Cycle => ({ unit: interval === "year" ? "yr" : interval, count });

export const boundary = (anchor: number, every: Price["recurring"], periods: number): number =>
  cycleBoundary(dateOf(anchor), cycleOf(every), periods).getTime() / 1000;

/** The ledger's period in Stripe's terms: Unix seconds, and the running period counts as the first. */
type Running = Pick<Subscription, "anchor" | "periods" | "periodStart" | "periodEnd">;
const running = ({ anchorAt, periodNumber, periodStartsAt, periodEndsAt }: Period): Running => ({
  anchor: anchorAt.getTime() / 1000,
  periods: periodNumber + 1,
  periodStart: periodStartsAt.getTime() / 1000,
  periodEnd: periodEndsAt.getTime() / 1000,
});
const periodOf = ({ anchor, periods, periodStart, periodEnd }: Running): Period => ({
  anchorAt: dateOf(anchor),
  periodNumber: periods - 1,
  periodStartsAt: dateOf(periodStart),
  periodEndsAt: dateOf(periodEnd),
});

type Priced = readonly Pick<Item, "price">[];
export const firstOf = (state: State, items: Priced, at: number): Running =>
  running(firstPeriod(dateOf(at), cycleOf(intervalOf(state, items))));
/** `items`: those of the period that begins now. */
export const nextOf = (state: State, before: Subscription, items: Priced): Running =>
  running(nextPeriod(periodOf(before), cycleOf(intervalOf(state, items)), cycleOf(intervalOf(state, before.items))));

/**
 * The billing interval of the items. All prices of a subscription share one
 * (docs.stripe.com/billing/subscriptions/multiple-products, not read again).
 */
export function intervalOf(state: State, items: readonly Pick<Item, "price">[]): Price["recurring"] {
  const [first, ...rest] = items.map(({ price }) => priceOf(state, price).recurring);
  if (!first) return fail("A subscription needs at least one item.");
  if (rest.some(({ interval, count }) => interval !== first.interval || count !== first.count))
    return fail("Currently, all subscription items must have the same billing interval.");
  return first;
}

const amountOf = (state: State, { price, quantity }: Pick<Item, "price" | "quantity">, currency: string): number =>
  quantity * (priceOf(state, price).amounts[currency] ?? fail(`The price ${price} has no amount in ${currency}.`));

export const fullLines = (
  state: State,
  items: readonly Pick<Item, "price" | "quantity">[],
  currency: string,
  start: number,
  end: number,
): Line[] =>
  items.map((item) => ({
    label: priceOf(state, item.price).label,
    quantity: item.quantity,
    amount: amountOf(state, item, currency),
    isProration: false,
    start,
    end,
    price: item.price,
  }));

/** The rest of the items' running period, to the second; `sign` −1 makes it a credit. */
export function proratedLines(state: State, subscription: Subscription, items: readonly Item[], sign: 1 | -1, at: number): Line[] {
  const { id, currency, periodEnd } = subscription;
  const { left, whole } = restOf(periodOf(subscription), dateOf(at));
  const word = sign === 1 ? "Remaining time on" : "Unused time on";
  const credits =
    sign === 1
      ? undefined
      : [...state.invoices.values()].findLast(({ subscription: of, status, total }) => of === id && status === "paid" && total > 0)?.id;
  return items.map((item) => ({
    label: `${word} ${priceOf(state, item.price).label}`,
    quantity: item.quantity,
    isProration: true,
    start: at,
    end: periodEnd,
    price: item.price,
    credits,
    amount: proportion(sign * amountOf(state, item, currency), left, whole),
  }));
}

export interface Bill {
  lines: Line[];
  discount: number;
  tax: Tax | null;
  total: number;
  amountDue: number;
  endingBalance: number;
}

/**
 * Smaller sums are carried over: "If the invoice's total is smaller than the minimum charge amount … the amount_due may be 0" (stripe
 * 23.1.0, `Invoice.amount_due`).
 */
const leastCharge = 50;

function makeBill(
  lines: Line[],
  customer: Customer,
  { currency, inclusive, percentOff }: { currency: string; inclusive: boolean; percentOff?: number | undefined },
): Bill {
  const country = customer.address?.country ?? "";
  const payer = { currency, credit: -customer.balance, country, vatId: customer.taxIds[0]?.value ?? "", taxInclusive: inclusive };
  // Coupons are taken off before tax; `total_discount_amounts` and the lines without it: stripe 23.1.0, `Invoice`.
  const { discount, tax, total, due, creditAfter } = addUp(
    lines.map(({ amount }) => amount),
    { ...payer, percentOff, leastCharge },
  );
  const amount = tax?.amount.amount ?? 0;
  const percent = tax?.ratePercent ?? 0;
  const taxable = total - amount;
  return {
    lines,
    discount,
    total,
    amountDue: due,
    endingBalance: 0 - creditAfter,
    tax: tax && { amount, inclusive, taxable, percent, rate: `txr_${country}_${percent * 10}` },
  };
}

/** Null for an invoice that staff wrote by hand. */
export const subscriptionOf = (state: State, { subscription }: Pick<Invoice, "subscription">): Subscription | null =>
  subscription === null ? null : state.subscriptions.get(subscription)!;

const isInclusive = (state: State, { currency }: Pick<Subscription, "currency">): boolean => state.isTaxInclusive(currency);
export const billFor = (state: State, subscription: Subscription, lines: Line[]): Bill =>
  makeBill(lines, state.customers.get(subscription.customer)!, {
    currency: subscription.currency,
    inclusive: isInclusive(state, subscription),
    percentOff: subscription.percentOff,
  });

/** A draft, until `finalize`. */
export function draftInvoice(
  state: State,
  subscription: Subscription,
  lines: Line[],
  reason: Invoice["reason"],
  at: number,
  finalizesAt = at,
): Invoice {
  const customer = state.customers.get(subscription.customer)!;
  const { discount, tax, total, amountDue } = billFor(state, subscription, lines);
  const invoice: Invoice = {
    id: newStripeId("in"),
    customer: customer.id,
    subscription: subscription.id,
    status: "draft",
    reason,
    currency: subscription.currency,
    created: at,
    finalizesAt,
    finalizedAt: null,
    lines,
    discount,
    tax,
    total,
    amountDue,
    startingBalance: customer.balance,
    endingBalance: null,
    buyer: { name: customer.name, address: customer.address, taxIds: [...customer.taxIds] },
    intent: { status: "requires_payment_method", reason: null },
  };
  state.invoices.set(invoice.id, invoice);
  subscription.latestInvoice = invoice.id;
  return invoice;
}

/** Applies the customer's balance; the invoice can be paid from now on. */
export function finalize(state: State, invoice: Invoice, at: number): void {
  const customer = state.customers.get(invoice.customer)!;
  const bill = makeBill(invoice.lines, customer, {
    currency: invoice.currency,
    inclusive: invoice.tax?.inclusive ?? state.isTaxInclusive(invoice.currency),
    percentOff: subscriptionOf(state, invoice)?.percentOff,
  });
  const { discount, tax, total, amountDue, endingBalance } = bill;
  Object.assign(invoice, {
    discount,
    tax,
    total,
    amountDue,
    startingBalance: customer.balance,
    endingBalance,
    status: "open",
    finalizedAt: at,
    buyer: { name: customer.name, address: customer.address, taxIds: [...customer.taxIds] },
  });
  customer.balance = endingBalance;
  invoiceEvent(state, "invoice.finalized", invoice, at);
}

export interface Attempt {
  occasion: "new-card" | "change" | "renewal";
  confirmed: boolean;
}

/** Charges an open invoice to the subscription's card, or else the customer's (stripe 23.1.0, `Subscription.default_payment_method`). */
export function collect(state: State, invoice: Invoice, attempt: Attempt, at: number): ChargeOutcome {
  const subscription = subscriptionOf(state, invoice);
  const customer = state.customers.get(invoice.customer)!;
  const card = state.methods.get(subscription?.defaultMethod ?? customer.defaultMethod ?? "")?.card ?? null;
  const failedBefore = [...state.charges.values()].filter((charge) => charge.invoice === invoice.id && charge.status === "failed").length;
  const outcome = chargeCard(card, { ...attempt, at: new Date(at * 1000), amount: invoice.amountDue, failedBefore });
  const reason = outcome.kind === "paid" ? null : outcome.reason;
  // While the customer is present, a bank's question is not a refusal, so there is no charge to show.
  const isAsked = outcome.kind === "confirm" && attempt.occasion !== "renewal";
  if (invoice.amountDue > 0 && !isAsked) {
    const charge = {
      id: newStripeId("ch"),
      invoice: invoice.id,
      customer: customer.id,
      created: at,
      amount: invoice.amountDue,
      currency: invoice.currency,
      card,
      amountRefunded: 0,
    };
    state.charges.set(charge.id, { ...charge, status: outcome.kind === "paid" ? "succeeded" : "failed", reason });
  }
  invoice.intent = {
    status: outcome.kind === "paid" ? "succeeded" : outcome.kind === "confirm" ? "requires_action" : "requires_payment_method",
    reason,
  };
  if (outcome.kind === "paid") {
    invoice.status = "paid";
    invoiceEvent(state, "invoice.paid", invoice, at);
  } else {
    invoiceEvent(state, "invoice.payment_failed", invoice, at);
    if (outcome.kind === "confirm") invoiceEvent(state, "invoice.payment_action_required", invoice, at);
  }
  return outcome;
}

/**
 * Returns the balance used in it. Voiding an update's invoice discards the update
 * (docs.stripe.com/billing/subscriptions/pending-updates-reference, read 2026-11-22).
 */
export function voidInvoice(state: State, invoice: Invoice, at: number): void {
  if (invoice.status !== "open" && invoice.status !== "draft")
    throw invalid(`You can only pass in open invoices. This invoice isn't open.`);
  if (invoice.endingBalance !== null) state.customers.get(invoice.customer)!.balance -= invoice.endingBalance - invoice.startingBalance;
  invoice.status = "void";
  invoiceEvent(state, "invoice.voided", invoice, at);
  const subscription = subscriptionOf(state, invoice);
  if (!subscription) return;
  if (subscription.resumption === invoice.id) subscription.resumption = null;
  if (subscription.pending?.invoice !== invoice.id) return;
  subscription.pending = null;
  subscriptionEvent(state, "customer.subscription.pending_update_expired", subscription, at);
}
