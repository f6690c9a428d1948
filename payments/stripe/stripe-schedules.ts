/** Subscription schedules: a change of interval at the period's end, which leaves the running period as it is. */
import type Stripe from "stripe";
import { useCardForPhases } from "./stripe-customers.ts";
import { mainItem, ownItems } from "./prices/stripe-prices.ts";
import { asked } from "./stripe-errors.ts";
import { expanded, idOf } from "./stripe-views.ts";
import type { World } from "./stripe-world.ts";

interface PhaseItem {
  price: string;
  quantity: number;
}

/**
 * Schedules `items` to follow the running period; once they have begun, the subscription continues without the schedule. Safe to repeat.
 */
export async function schedulePhase(
  world: World,
  subscription: Stripe.Subscription,
  items: readonly PhaseItem[],
  every: Stripe.Price.Recurring | null,
  key: string,
): Promise<void> {
  const { stripe } = world;
  await useCardForPhases(world, subscription);
  await asked(async () => {
    // Reuses one that a killed process left behind.
    const schedule =
      expanded(subscription.schedule) ??
      (await stripe.subscriptionSchedules.create({ from_subscription: subscription.id }, { idempotencyKey: `${key}:schedule` }));
    const running = schedule.current_phase;
    const asPhase = (list: readonly Stripe.SubscriptionItem[]) =>
      list.map(({ price, quantity }) => ({ price: price.id, quantity: quantity ?? 1 }));
    const now = asPhase(subscription.items.data);
    const own = new Set(ownItems(subscription.items.data));
    const theirs = asPhase(subscription.items.data.filter((item) => !own.has(item)));
    const phases: Stripe.SubscriptionScheduleUpdateParams.Phase[] = [
      {
        items: now,
        proration_behavior: "none",
        start_date: running?.start_date ?? mainItem(subscription.items.data)!.current_period_start,
        end_date: mainItem(subscription.items.data)!.current_period_end,
      },
      {
        // What staff added is theirs, and goes on.
        items: [...items.map(({ price, quantity }) => ({ price, quantity })), ...theirs],
        proration_behavior: "none",
        ...(every && { duration: { interval: every.interval, interval_count: every.interval_count } }),
      },
    ];
    await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: "release",
      proration_behavior: "none",
      default_settings: { automatic_tax: { enabled: true } },
      phases,
    });
  });
}

/** Drops the scheduled change and keeps the subscription as it is; does nothing without a schedule. */
export async function releaseSchedule({ stripe }: World, { schedule }: Stripe.Subscription): Promise<void> {
  const id = idOf(schedule);
  if (id) await asked(() => stripe.subscriptionSchedules.release(id));
}
