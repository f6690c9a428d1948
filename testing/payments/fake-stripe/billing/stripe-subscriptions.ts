/** How calls and time change the fake Stripe's subscriptions. Every change is atomic. */
import type { ChargeOutcome } from "#payments/ledger/charge.ts";
import {
  billFor,
  boundary,
  collect,
  draftInvoice,
  finalize,
  firstOf,
  fullLines,
  intervalOf,
  priceOf,
  proratedLines,
  subscriptionOf,
  voidInvoice,
  type Attempt,
} from "./stripe-billing.ts";
import { declined, invalid, needsAction } from "../wire/stripe-error.ts";
import { subscriptionEvent } from "../wire/stripe-events.ts";
import { newStripeId, type Invoice, type Item, type Line, type State, type Subscription } from "../stripe-state.ts";

interface ItemChange {
  id?: string | undefined;
  price?: string | undefined;
  quantity?: number | undefined;
  deleted?: boolean | undefined;
}

/** Items with an id are changed, those without one are added, and unnamed ones stay (stripe 23.1.0, `SubscriptionUpdateParams.Item`). */
export function changedItems(state: State, { items }: Subscription, changes: readonly ItemChange[]): Item[] {
  const next = new Map(items.map((item) => [item.id, { ...item }]));
  for (const { id, price, quantity, deleted } of changes) {
    const before = id === undefined ? undefined : next.get(id);
    if (id !== undefined && !before) throw invalid(`No such subscription item: '${id}'`);
    if (price !== undefined && !priceOf(state, price).active)
      throw invalid("The price specified is inactive. This field only accepts active prices.");
    if (before && deleted) next.delete(before.id);
    else if (before) next.set(before.id, { id: before.id, price: price ?? before.price, quantity: quantity ?? before.quantity });
    else {
      if (price === undefined) throw invalid("An item needs an id or a price.");
      const made = newStripeId("si");
      next.set(made, { id: made, price, quantity: quantity ?? 1 });
    }
  }
  const result = [...next.values()];
  if (new Set(result.map(({ price }) => price)).size !== result.length)
    throw invalid("Cannot add multiple subscription items with the same plan.");
  intervalOf(state, result);
  return result;
}

interface PlannedUpdate {
  items: Item[];
  /**
   * A new interval begins its first full period immediately and charges it, whatever the proration setting
   * (support.stripe.com/questions/handling-subscription-changes, read 2026-11-22).
   */
  resetsPeriod: boolean;
  lines: Line[];
  periodEnd: number;
}

export function planUpdate(state: State, subscription: Subscription, items: Item[], prorates: boolean, at: number): PlannedUpdate {
  const { periodStart, periodEnd, currency } = subscription;
  // Free days stay free, and their end stays the billing date.
  if (subscription.status === "trialing") return { items, resetsPeriod: false, periodEnd, lines: [] };
  if (at < periodStart || at > periodEnd) throw invalid("The proration date must be within the current billing period.");
  const [before, next] = [intervalOf(state, subscription.items), intervalOf(state, items)];
  if (before.interval !== next.interval || before.count !== next.count) {
    const { periodEnd: end } = firstOf(state, items, at);
    return {
      items,
      resetsPeriod: true,
      periodEnd: end,
      lines: [
        ...(prorates ? proratedLines(state, subscription, subscription.items, -1, at) : []),
        ...fullLines(state, items, currency, at, end),
      ],
    };
  }
  const isKept = (item: Item, others: readonly Item[]) =>
    others.some(({ price, quantity }) => price === item.price && quantity === item.quantity);
  const gone = subscription.items.filter((item) => !isKept(item, items));
  const added = items.filter((item) => !isKept(item, subscription.items));
  return {
    items,
    resetsPeriod: false,
    periodEnd,
    lines: prorates ? [...proratedLines(state, subscription, gone, -1, at), ...proratedLines(state, subscription, added, 1, at)] : [],
  };
}

function applyUpdate(
  state: State,
  subscription: Subscription,
  { items, resetsPeriod }: Pick<PlannedUpdate, "items" | "resetsPeriod">,
  at: number,
): void {
  subscription.items = items;
  if (resetsPeriod) Object.assign(subscription, firstOf(state, items, at));
}

interface ItemsUpdate {
  changes: readonly ItemChange[];
  paymentBehavior: "allow_incomplete" | "default_incomplete" | "error_if_incomplete" | "pending_if_incomplete";
  prorates: boolean;
  prorationAt: number;
}

/**
 * Changes items and collects the resulting payment. With `pending_if_incomplete` (docs.stripe.com/billing/subscriptions/pending-updates,
 * read 2026-11-22) an unpaid change waits as `pending_update` with an open invoice, for 23 hours or until the period's end.
 */
export function updateItems(
  state: State,
  subscription: Subscription,
  { changes, paymentBehavior, prorates, prorationAt }: ItemsUpdate,
  at: number,
): void {
  refuseScheduled(subscription);
  const items = changedItems(state, subscription, changes);
  const planned = planUpdate(state, subscription, items, prorates, prorationAt);
  if (subscription.pending) voidInvoice(state, state.invoices.get(subscription.pending.invoice)!, at);
  if (planned.lines.length === 0) {
    applyUpdate(state, subscription, planned, at);
    return subscriptionEvent(state, "customer.subscription.updated", subscription, at);
  }
  const latest = subscription.latestInvoice;
  const invoice = draftInvoice(state, subscription, planned.lines, "subscription_update", at);
  finalize(state, invoice, at);
  const outcome = collect(state, invoice, { occasion: "change", confirmed: false }, at);
  if (outcome.kind === "paid") applyUpdate(state, subscription, planned, prorationAt);
  else if (paymentBehavior === "pending_if_incomplete")
    subscription.pending = {
      expiresAt: Math.min(at + 23 * 3600, subscription.periodEnd),
      items,
      resetsPeriod: planned.resetsPeriod,
      invoice: invoice.id,
    };
  else if (paymentBehavior === "error_if_incomplete") {
    voidInvoice(state, invoice, at);
    subscription.latestInvoice = latest;
    throw refusal(outcome, "subscription");
  } else {
    applyUpdate(state, subscription, planned, prorationAt);
    subscription.status = "past_due";
  }
  subscriptionEvent(state, "customer.subscription.updated", subscription, at);
}

export const refusal = (outcome: Exclude<ChargeOutcome, { kind: "paid" }>, what: "subscription" | "invoice"): Error =>
  outcome.kind === "declined" ? declined(outcome.reason) : needsAction(what);

/**
 * "The subscription is managed by the subscription schedule … Please update the schedule instead" (an answer of the API, seen in
 * dust-tt/dust#32051, read 2026-11-22).
 */
export function refuseScheduled({ schedule }: Subscription): void {
  if (schedule)
    throw invalid(
      `The subscription is managed by the subscription schedule \`${schedule}\`, and updating it directly is not allowed. Please update the schedule instead.`,
    );
}

/** Pays an open invoice and applies the change that waited for it. */
export function payInvoice(state: State, invoice: Invoice, attempt: Attempt, at: number): ChargeOutcome {
  if (invoice.status === "draft") finalize(state, invoice, at);
  if (invoice.status !== "open")
    throw invalid(invoice.status === "paid" ? "Invoice is already paid" : "This invoice can no longer be paid");
  const outcome = collect(state, invoice, attempt, at);
  const subscription = subscriptionOf(state, invoice);
  if (!subscription) return outcome;
  if (outcome.kind === "paid") afterPayment(state, subscription, invoice, at);
  else if (subscription.status === "past_due" && outcome.kind === "declined" && outcome.hard) subscription.tries = [];
  subscriptionEvent(state, "customer.subscription.updated", subscription, at);
  return outcome;
}

function afterPayment(state: State, subscription: Subscription, invoice: Invoice, at: number): void {
  const { pending } = subscription;
  if (pending?.invoice === invoice.id) {
    subscription.pending = null;
    applyUpdate(state, subscription, pending, at);
    return subscriptionEvent(state, "customer.subscription.pending_update_applied", subscription, at);
  }
  if (subscription.resumption === invoice.id) return resumed(state, subscription, at);
  if ((subscription.status === "past_due" || subscription.status === "unpaid") && subscription.latestInvoice === invoice.id)
    Object.assign(subscription, { status: "active", tries: [], givesUpAt: null });
}

/**
 * Only a `paused` subscription can be resumed, through a new invoice: an older open one stays collectible
 * (docs.stripe.com/api/subscriptions/resume, read 2026-11-22). With `resume_on_payment_success` the request tries to pay it. A failure is
 * not an error: the subscription stays paused, and the invoice is open (docs.stripe.com/billing/subscriptions/pause, "Payment behavior",
 * read 2026-11-22). Without any card there is an error.
 */
export function resumeSubscription(state: State, subscription: Subscription, at: number): void {
  if (subscription.status !== "paused") throw invalid("Only a paused subscription can be resumed.");
  if (!(subscription.defaultMethod ?? state.customers.get(subscription.customer)!.defaultMethod))
    throw invalid("This customer has no attached payment source or default payment method.", "resource_missing");
  const before = subscription.resumption;
  if (before) voidInvoice(state, state.invoices.get(before)!, at);
  const { periodEnd: end } = firstOf(state, subscription.items, at);
  const pending = [...state.pendingItems.values()].filter((item) => item.subscription === subscription.id);
  for (const { id } of pending) state.pendingItems.delete(id);
  const invoice = draftInvoice(
    state,
    subscription,
    [...fullLines(state, subscription.items, subscription.currency, at, end), ...pending.map(({ line }) => line)],
    "subscription_cycle",
    at,
  );
  finalize(state, invoice, at);
  subscription.resumption = invoice.id;
  if (collect(state, invoice, { occasion: "renewal", confirmed: false }, at).kind === "paid") resumed(state, subscription, at);
}

function resumed(state: State, subscription: Subscription, at: number): void {
  Object.assign(subscription, firstOf(state, subscription.items, at), {
    status: "active",
    pausedAt: null,
    tries: [],
    givesUpAt: null,
    resumption: null,
    cancelAtPeriodEnd: false,
    cancelAt: null,
  });
  subscriptionEvent(state, "customer.subscription.resumed", subscription, at);
}

/** A new subscription whose first period is paid; the customer is present. */
export function startSubscription(
  state: State,
  begun: Pick<Subscription, "customer" | "currency" | "metadata" | "defaultMethod">,
  items: readonly Omit<Item, "id">[],
  at: number,
): Subscription {
  const row: Subscription = {
    ...begun,
    ...firstOf(state, items, at),
    id: newStripeId("sub"),
    created: at,
    status: "active",
    items: items.map((item) => ({ id: newStripeId("si"), ...item })),
    cancelAtPeriodEnd: false,
    cancelAt: null,
    endedAt: null,
    pausedAt: null,
    latestInvoice: null,
    pending: null,
    schedule: null,
    resumption: null,
    tries: [],
    givesUpAt: null,
  };
  state.subscriptions.set(row.id, row);
  const invoice = draftInvoice(state, row, fullLines(state, items, row.currency, at, row.periodEnd), "subscription_create", at);
  subscriptionEvent(state, "customer.subscription.created", row, at);
  finalize(state, invoice, at);
  collect(state, invoice, { occasion: "new-card", confirmed: true }, at);
  return row;
}

/** Its open invoices stay, but are no longer collected automatically (docs.stripe.com/api/subscriptions/cancel, not read again). */
export function cancelSubscription(state: State, subscription: Subscription, at: number): void {
  if (subscription.pending) voidInvoice(state, state.invoices.get(subscription.pending.invoice)!, at);
  const schedule = subscription.schedule && state.schedules.get(subscription.schedule);
  if (schedule) schedule.status = "canceled";
  Object.assign(subscription, { status: "canceled", endedAt: at, tries: [], givesUpAt: null, schedule: null });
  subscriptionEvent(state, "customer.subscription.deleted", subscription, at);
}

/** What the next period bills: the schedule's next phase, if there is one. */
export function nextItems(state: State, subscription: Subscription): { price: string; quantity: number }[] {
  const schedule = subscription.schedule ? state.schedules.get(subscription.schedule) : undefined;
  return schedule?.phases.find(({ start }) => start >= subscription.periodEnd)?.items ?? subscription.items;
}

export const recurringBill = (state: State, subscription: Subscription, items = nextItems(state, subscription)) =>
  billFor(
    state,
    subscription,
    fullLines(state, items, subscription.currency, subscription.periodEnd, boundary(subscription.periodEnd, intervalOf(state, items), 1)),
  );
