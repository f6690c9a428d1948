/**
 * What is charged next. A change scheduled for the period's end may be unknown to the provider yet; then the provider
 * is asked what it would charge.
 */
import type { RouteAnswer } from "#contract/api/route.ts";
import type { getNextPayment } from "#contract/billing/billing.ts";
import { askProvider, pageLimitMs } from "#domain/billing/ask-provider.ts";
import type { Billing } from "#domain/billing/billing.ts";
import { purchaseOf } from "#domain/plans/plan-facts.ts";
import { readPlans } from "#domain/plans/plan-facts-store.ts";
import { findSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { providerSubscriptionId } from "./provider-subscription-id.ts";

type NextPayment = RouteAnswer<typeof getNextPayment>["nextPayment"];

/** Null if nothing will be charged: a trial, or a cancelled or ended subscription. Refuses (AppError) payments_unavailable. */
export async function readNextPayment({ db, provider }: Billing, accountId: string): Promise<NextPayment> {
  const held = await findSubscription(db, accountId);
  const subscriptionId = held && !held.cancelAt ? providerSubscriptionId(held, provider) : null;
  if (!held || !subscriptionId) return null;
  const plan = held.scheduledPlanId && !held.scheduledToldAt ? (await readPlans(db)).get(held.scheduledPlanId) : undefined;
  if (plan) {
    const quotas =
      held.scheduledExecutions === null || held.scheduledWorkflows === null
        ? null
        : { monthlyExecutions: held.scheduledExecutions, activeWorkflows: held.scheduledWorkflows };
    const { nextRenewal } = await askProvider(
      () => provider.previewChange({ subscriptionId, purchase: purchaseOf(plan, quotas), billing: "next-period" }, null),
      pageLimitMs,
    );
    const { at, amount, lines = [], tax } = nextRenewal;
    return { at: at.toISOString(), amount, tax: tax?.amount ?? { amount: 0, currency: amount.currency }, lines: [...lines] };
  }
  const next = await askProvider(() => provider.nextPayment(subscriptionId), pageLimitMs);
  return next && { ...next, at: next.at.toISOString(), lines: [...next.lines] };
}
