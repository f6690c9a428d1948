/** What the passage of time does in the fake Stripe, in order and each at its own time. */
import { retryDays } from "#payments/ledger/ledger.ts";
import { draftInvoice, finalize, fullLines, nextOf, voidInvoice } from "./billing/stripe-billing.ts";
import { checkoutEvent, subscriptionEvent } from "./wire/stripe-events.ts";
import { cancelSubscription, payInvoice } from "./billing/stripe-subscriptions.ts";
import { newStripeId, nowOf, type Invoice, type Schedule, type State, type Subscription } from "./stripe-state.ts";

const [hour, day] = [3600, 86_400];

interface Due {
  at: number;
  act(): void;
}

export function runDue(state: State): void {
  const now = nowOf(state);
  for (;;) {
    const due = [...state.subscriptions.values()]
      .flatMap((subscription) => dueOf(state, subscription))
      .concat(dueCheckouts(state))
      .filter(({ at }) => at <= now);
    const [next] = due.toSorted((one, other) => one.at - other.at);
    if (!next) return;
    next.act();
  }
}

function dueOf(state: State, subscription: Subscription): Due[] {
  const due: Due[] = [];
  const { pending, periodEnd, cancelAt, tries, givesUpAt, status } = subscription;
  if (status === "canceled") return due;
  const latest = subscription.latestInvoice ? state.invoices.get(subscription.latestInvoice)! : null;
  if (pending) due.push({ at: pending.expiresAt, act: () => voidInvoice(state, state.invoices.get(pending.invoice)!, pending.expiresAt) });
  if (latest?.status === "draft" && status !== "unpaid")
    due.push({ at: latest.finalizesAt, act: () => collectRenewal(state, subscription, latest) });
  if (cancelAt !== null) due.push({ at: cancelAt, act: () => cancelSubscription(state, subscription, cancelAt) });
  const open = latest?.status === "open" ? latest : null;
  if (status === "past_due" && open && tries[0] !== undefined) due.push({ at: tries[0], act: () => tryAgain(state, open, tries.shift()!) });
  if (status === "past_due" && givesUpAt !== null) due.push({ at: givesUpAt, act: () => giveUp(state, subscription, givesUpAt) });
  if (status === "active" || status === "trialing" || status === "past_due" || status === "unpaid")
    due.push({ at: periodEnd, act: () => endPeriod(state, subscription, periodEnd) });
  const schedule = subscription.schedule ? state.schedules.get(subscription.schedule) : undefined;
  // "release will end the subscription schedule and keep the underlying subscription running" (stripe 23.1.0, `end_behavior`).
  const last = schedule?.phases.at(-1);
  if (schedule && last && last.start < subscription.periodEnd) due.push({ at: last.end, act: () => release(schedule, subscription) });
  return due;
}

function release(schedule: Schedule, subscription: Subscription): void {
  schedule.status = "released";
  subscription.schedule = null;
}

/**
 * Renewals are drafts for about an hour before they are finalised and charged
 * (docs.stripe.com/billing/invoices/subscription, not read again).
 */
function endPeriod(state: State, subscription: Subscription, at: number): void {
  if (subscription.cancelAtPeriodEnd) return cancelSubscription(state, subscription, at);
  if (subscription.status === "trialing") {
    subscription.status = "active";
    delete subscription.trialEnd;
  }
  const schedule = subscription.schedule ? state.schedules.get(subscription.schedule) : undefined;
  const phase = schedule?.phases.find(({ start }) => start === at);
  const items = phase ? phase.items.map((item) => ({ id: newStripeId("si"), ...item })) : subscription.items;
  Object.assign(subscription, nextOf(state, subscription, items), { items });
  draftInvoice(
    state,
    subscription,
    fullLines(state, subscription.items, subscription.currency, at, subscription.periodEnd),
    "subscription_cycle",
    at,
    at + hour,
  );
  subscriptionEvent(state, "customer.subscription.updated", subscription, at);
}

function collectRenewal(state: State, subscription: Subscription, invoice: Invoice): void {
  const at = invoice.finalizesAt;
  // "void": nothing is owed for the periods in which collection is paused; otherwise the draft waits
  // (docs.stripe.com/billing/subscriptions/pause-payment, not read again).
  if (subscription.pauseCollection === "void") return voidInvoice(state, invoice, at);
  if (subscription.pauseCollection) {
    invoice.finalizesAt = Infinity;
    return;
  }
  finalize(state, invoice, at);
  const outcome = payInvoice(state, invoice, { occasion: "renewal", confirmed: false }, at);
  if (outcome.kind === "paid") return;
  const isHard = outcome.kind === "declined" && outcome.hard;
  Object.assign(subscription, {
    status: "past_due",
    tries: isHard ? [] : retryDays.map((days) => at + days * day),
    givesUpAt: at + Math.max(...retryDays) * day,
  });
  subscriptionEvent(state, "customer.subscription.updated", subscription, at);
}

function tryAgain(state: State, invoice: Invoice, at: number): void {
  payInvoice(state, invoice, { occasion: "renewal", confirmed: false }, at);
}

/** The open invoice stays open and can be paid at its page. */
function giveUp(state: State, subscription: Subscription, at: number): void {
  if (subscription.cancelAtPeriodEnd) return cancelSubscription(state, subscription, at);
  Object.assign(subscription, {
    status: state.afterTries,
    tries: [],
    givesUpAt: null,
    pausedAt: state.afterTries === "paused" ? at : null,
  });
  subscriptionEvent(
    state,
    state.afterTries === "paused" ? "customer.subscription.paused" : "customer.subscription.updated",
    subscription,
    at,
  );
}

function dueCheckouts(state: State): Due[] {
  return [...state.checkouts.values()]
    .filter(({ status }) => status === "open")
    .map((session) => ({
      at: session.expiresAt,
      act: () => {
        session.status = "expired";
        checkoutEvent(state, "checkout.session.expired", session, session.expiresAt);
      },
    }));
}
