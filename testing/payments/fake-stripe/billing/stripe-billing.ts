/** The fake Stripe's invoices: how a sum is made up, and how it is collected. */
import type { ChargeOutcome } from "#payments/ledger/charge.ts";
import { chargeCard } from "#payments/sandbox/test-cards.ts";
import { proportion } from "#payments/ledger/money-math.ts";
import { taxOn, taxRule, withTax } from "#payments/ledger/sales-tax.ts";
import { addMonths } from "#platform/calendar.ts";
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

export const boundary = (anchor: number, { interval, count }: Price["recurring"], periods: number): number => {
  if (interval === "day") return anchor + periods * count * 86_400;
  return addMonths(new Date(anchor * 1000), periods * count * (interval === "year" ? 12 : 1)).getTime() / 1000;
};

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
export function proratedLines(
  state: State,
  { id, currency, periodStart, periodEnd }: Pick<Subscription, "id" | "currency" | "periodStart" | "periodEnd">,
  items: readonly Item[],
  sign: 1 | -1,
  at: number,
): Line[] {
  const word = sign === 1 ? "Remaining time on" : "Unused time on";
  const credits =
    sign === 1
      ? undefined
      : [...state.invoices.values()].findLast(({ subscription, status, total }) => subscription === id && status === "paid" && total > 0)
          ?.id;
  return items.map((item) => ({
    label: `${word} ${priceOf(state, item.price).label}`,
    quantity: item.quantity,
    isProration: true,
    start: at,
    end: periodEnd,
    price: item.price,
    credits,
    amount: proportion(sign * amountOf(state, item, currency), periodEnd - at, periodEnd - periodStart),
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
  { currency, inclusive, percentOff = 0 }: { currency: string; inclusive: boolean; percentOff?: number | undefined },
): Bill {
  const whole = lines.reduce((sum, { amount }) => sum + amount, 0);
  // Taken off before tax; `total_discount_amounts` and the lines without it: stripe 23.1.0, `Invoice`.
  const discount = Math.round((Math.max(0, whole) * percentOff) / 100);
  const subtotal = whole - discount;
  const country = customer.address?.country ?? "";
  const rule = lines.length === 0 ? null : taxRule(country, customer.taxIds[0]?.value ?? "");
  const tax = taxOn(subtotal, currency, rule, inclusive);
  const total = withTax(subtotal, tax);
  const owed = total + customer.balance;
  const amountDue = owed < leastCharge ? 0 : owed;
  return {
    lines,
    discount,
    total,
    amountDue,
    endingBalance: owed - amountDue,
    tax:
      tax && rule
        ? {
            amount: tax.amount.amount,
            inclusive,
            taxable: inclusive ? subtotal - tax.amount.amount : subtotal,
            percent: rule.permille / 10,
            rate: `txr_${country}_${rule.permille}`,
          }
        : null,
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
