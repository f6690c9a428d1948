/** Subscription schedules (stripe 23.1.0, `SubscriptionScheduleUpdateParams`, read 2026-11-22). */
import type { z } from "zod";
import { boundary, intervalOf } from "./stripe-billing.ts";
import { invalid } from "../wire/stripe-error.ts";
import { subscriptionEvent } from "../wire/stripe-events.ts";
import { scheduleObject } from "../wire/stripe-objects.ts";
import type { params } from "../wire/stripe-params.ts";
import { newStripeId, nowOf, type Schedule, type State, type Subscription } from "../stripe-state.ts";

/** Creates a schedule for a running subscription, with the running period as its only phase. */
export function createSchedule(state: State, subscription: Subscription): object {
  if (subscription.schedule) throw invalid("You cannot migrate a subscription that is already attached to a schedule.");
  if (subscription.cancelAtPeriodEnd || subscription.cancelAt !== null || subscription.status === "canceled")
    throw invalid("You cannot create a schedule from a subscription that is canceled or set to cancel.");
  const { id, periodStart, periodEnd, items } = subscription;
  const row: Schedule = {
    id: newStripeId("sub_sched"),
    subscription: id,
    status: "active",
    phases: [{ start: periodStart, end: periodEnd, items: items.map(({ price, quantity }) => ({ price, quantity })) }],
  };
  state.schedules.set(row.id, row);
  subscription.schedule = row.id;
  subscriptionEvent(state, "customer.subscription.updated", subscription, nowOf(state));
  return scheduleObject(state, row);
}

/** "The end_date of one phase will always equal the start_date of the next"; a running phase keeps its start. */
export function updateSchedule(state: State, row: Schedule, { phases }: z.output<typeof params.updateSchedule>): object {
  if (row.status !== "active") throw invalid(`You cannot update a subscription schedule that is \`${row.status}\`.`);
  const [current] = row.phases;
  const subscription = state.subscriptions.get(row.subscription)!;
  let start = phases[0]!.start_date;
  if (start !== current!.start) throw invalid("You can not modify the start date of the current phase.");
  row.phases = phases.map((phase, index) => {
    const items = phase.items.map(({ price, quantity }) => ({ price, quantity: quantity ?? 1 }));
    if (phase.start_date !== undefined && phase.start_date !== start) throw invalid("A phase begins where the one before it ends.");
    if (phase.end_date !== undefined && phase.duration) throw invalid("You may only specify one of these parameters: end_date, duration.");
    const { interval, count } = intervalOf(state, items);
    if (phase.end_date === undefined && !phase.duration && index < phases.length - 1)
      throw invalid("A phase needs its end_date or its duration.");
    const every = phase.duration
      ? { interval: phase.duration.interval as "month", count: phase.duration.interval_count ?? 1 }
      : { interval, count };
    const begins = start!;
    const end = phase.end_date ?? boundary(begins, every, 1);
    start = end;
    return { start: begins, end, items };
  });
  const kept = (items: readonly { price: string; quantity: number }[]) =>
    JSON.stringify(items.map(({ price, quantity }) => `${price} ${quantity}`).toSorted());
  if (kept(row.phases[0]!.items) !== kept(subscription.items)) throw invalid("The fake changes nothing within the current phase.");
  // "If not set, invoices will use the default payment method in the customer's invoice settings" (stripe 23.1.0,
  // `Phase.default_payment_method`).
  subscription.defaultMethod = null;
  subscriptionEvent(state, "customer.subscription.updated", subscription, nowOf(state));
  return scheduleObject(state, row);
}
