/** What the seller's staff do in Stripe's dashboard, without us. */
import type Stripe from "stripe";
import { collect, finalize } from "./billing/stripe-billing.ts";
import { cancelSubscription, startSubscription } from "./billing/stripe-subscriptions.ts";
import { send, subscriptionEvent } from "./wire/stripe-events.ts";
import { customerObject } from "./wire/stripe-objects.ts";
import { newStripeId, nowOf, type Invoice, type Price, type State, type Subscription } from "./stripe-state.ts";

/** A price of something that our catalogue does not have. */
export function foreignPrice(state: State, label: string, cents: number, every: "month" | "year" = "month"): Price {
  const price: Price = {
    id: newStripeId("price"),
    entry: label,
    label,
    // The seller's own, for their own programs.
    lookupKey: label,
    active: true,
    metadata: {},
    recurring: { interval: every, count: 1 },
    amounts: { USD: cents, EUR: cents },
  };
  state.prices.set(price.id, price);
  return price;
}

export const priceOfEntry = (state: State, entry: string): Price | undefined =>
  [...state.prices.values()].find(({ lookupKey }) => lookupKey === entry);

/** A subscription made by hand for a customer, paid with their card; it has no metadata of ours. */
export function sell(state: State, customer: string, price: Price): Subscription {
  const now = nowOf(state);
  const own = [...state.subscriptions.values()].find((each) => each.customer === customer);
  const begun = { customer, currency: own?.currency ?? "USD", metadata: {}, defaultMethod: own?.defaultMethod ?? null };
  return startSubscription(state, begun, [{ price: price.id, quantity: 1 }], now);
}

/** An item beside the plan, such as an add-on. */
export function addItem(state: State, id: string, price: Price): void {
  const row = state.subscriptions.get(id)!;
  row.items.push({ id: newStripeId("si"), price: price.id, quantity: 1 });
  updated(state, row);
}

/** Another price for the plan, without proration. */
export function changePlan(state: State, id: string, price: Price): void {
  const row = state.subscriptions.get(id)!;
  row.items[0]!.price = price.id;
  updated(state, row);
}

/** Ends the subscriptions of the customer, who cannot be used any more (docs.stripe.com/api/customers/delete, not read again). */
export function deleteCustomer(state: State, id: string): void {
  const customer = state.customers.get(id)!;
  const now = nowOf(state);
  for (const row of state.subscriptions.values())
    if (row.customer === id && row.status !== "canceled") {
      row.defaultMethod = null;
      cancelSubscription(state, row, now);
    }
  send(state, "customer.deleted", customerObject(state, customer), now);
  customer.deleted = true;
}

/** Pauses the subscription itself: no invoices, and no service. */
export function pauseOnRequest(state: State, id: string): void {
  const row = state.subscriptions.get(id)!;
  Object.assign(row, { status: "paused", pausedAt: nowOf(state), pauseType: "pause_requested" });
  subscriptionEvent(state, "customer.subscription.paused", row, nowOf(state));
}

/** Pauses only the collection of payments: the subscription stays as it is. */
export function pauseCollection(state: State, id: string, behavior: Stripe.Subscription.PauseCollection.Behavior): void {
  const row = state.subscriptions.get(id)!;
  row.pauseCollection = behavior;
  updated(state, row);
}

/** Free days: nothing is charged before this time, and the billing date moves to it. */
export function moveTrialEnd(state: State, id: string, at: Date): void {
  const row = state.subscriptions.get(id)!;
  const [now, end] = [nowOf(state), Math.floor(at.getTime() / 1000)];
  Object.assign(row, { status: "trialing", trialEnd: end, anchor: end, periods: 0, periodStart: now, periodEnd: end });
  updated(state, row);
}

/** A coupon on the subscription, for good: it takes its percentage off each invoice. */
export function addCoupon(state: State, id: string, percentOff: number): void {
  const row = state.subscriptions.get(id)!;
  row.percentOff = percentOff;
  updated(state, row);
}

/** Credit on the customer's balance, which their next invoices use first; minor units. */
export function giveCredit(state: State, id: string, cents: number): void {
  const customer = state.customers.get(id)!;
  customer.balance -= cents;
  send(state, "customer.updated", customerObject(state, customer), nowOf(state));
}

/** An invoice of no subscription, for something that staff sold by hand, paid with the customer's card. */
export function invoiceByHand(state: State, customerId: string, label: string, cents: number): void {
  const [customer, now] = [state.customers.get(customerId)!, nowOf(state)];
  const line = { label, quantity: 1, amount: cents, isProration: false, start: now, end: now, price: "" };
  const invoice: Invoice = {
    id: newStripeId("in"),
    customer: customer.id,
    subscription: null,
    status: "draft",
    reason: "manual",
    currency: "USD",
    created: now,
    finalizesAt: now,
    finalizedAt: null,
    lines: [line],
    discount: 0,
    tax: null,
    total: cents,
    amountDue: cents,
    startingBalance: customer.balance,
    endingBalance: null,
    buyer: { name: customer.name, address: customer.address, taxIds: [...customer.taxIds] },
    intent: { status: "requires_payment_method", reason: null },
  };
  state.invoices.set(invoice.id, invoice);
  finalize(state, invoice, now);
  collect(state, invoice, { occasion: "new-card", confirmed: true }, now);
}

function updated(state: State, row: Subscription): void {
  subscriptionEvent(state, "customer.subscription.updated", row, nowOf(state));
}
