import { AppError } from "#platform/app-error.ts";
import type { Actor, Billing } from "../../billing.ts";
import { applyProviderTruth } from "../../provider-truth/apply-provider-truth.ts";
import { askProvider } from "../../ask-provider.ts";
import { changeSubscription } from "../../carry-out.ts";
import { once } from "../../idempotency.ts";
import { grantedPlan, purchaseOf, type Plans } from "#domain/plans/plan-facts.ts";
import { readPlans } from "#domain/plans/plan-facts-store.ts";
import { isSold, keptQuotas, nothingScheduled, stateOf, type SubscriptionRow } from "../../subscription/subscription-states.ts";
import { findSubscription } from "../../subscription/subscription-store.ts";
import { mayHaveBeenMade } from "../../subscription/timer-store.ts";

/**
 * Undoes a change scheduled for the period's end; does nothing if there is none. Refuses (AppError)
 * subscription_not_found, payments_unavailable.
 */
export async function cancelScheduledChange(billing: Billing, accountId: string, actor: Actor, key: string): Promise<void> {
  await once(billing, { accountId, key, call: "cancel-change", request: null }, async (providerKey) => {
    const seen = await findSubscription(billing.db, accountId);
    if (!seen || !isSold(stateOf(seen))) throw new AppError("subscription_not_found");
    if (seen.scheduledToldAt) await tellBack(billing, accountId, seen, await readPlans(billing.db), actor, providerKey);
    else await forget(billing, accountId, actor);
    return null;
  });
}

async function forget(billing: Billing, accountId: string, actor: Actor): Promise<void> {
  await changeSubscription(billing, accountId, { actor }, async ({ tx, held }) => {
    if (!held?.scheduledPlanId) return { next: null };
    // The provider has been told since, or is being told, or may have been by an attempt without an answer; the next click will find that.
    if (held.scheduledToldAt || (await mayHaveBeenMade(tx, accountId, "scheduled-change"))) throw new AppError("unavailable");
    return { next: { row: { ...held, ...nothingScheduled }, effects: [{ kind: "audit", action: "subscription.change-taken-back" }] } };
  });
}

/**
 * Shortly before the renewal the provider already bills the new plan: tells it the old one again, which is what
 * the running period was paid for.
 */
async function tellBack(
  billing: Billing,
  accountId: string,
  held: SubscriptionRow,
  plans: Plans,
  actor: Actor,
  key: string,
): Promise<void> {
  const plan = grantedPlan(held, plans);
  if (!plan) throw new AppError("payments_unavailable", { internal: `no plan sells ${held.specId}` });
  const quotas = keptQuotas(held);
  await changeSubscription(billing, accountId, { actor }, ({ held: locked, now }) => {
    if (!locked) return { next: null };
    // Once the period is over, the provider has billed the new plan for the next one, whether or not the row shows it yet.
    if (locked.version !== held.version || !locked.scheduledToldAt || now >= locked.scheduledAt!) throw new AppError("unavailable");
    const row = {
      ...locked,
      pendingPlanId: plan.planId,
      pendingExecutions: quotas?.monthlyExecutions ?? null,
      pendingWorkflows: quotas?.activeWorkflows ?? null,
      pendingKey: key,
      pendingAt: now,
    };
    return { next: { row, effects: [{ kind: "audit", action: "subscription.change-taken-back" }] } };
  });
  const request = { subscriptionId: held.providerSubscriptionId!, purchase: purchaseOf(plan, quotas), billing: "next-period" as const };
  const truth = await askProvider(async () => {
    const quote = await billing.provider.previewChange(request, null);
    return billing.provider.change(request, { quotedAt: quote.quotedAt, expectedDueNow: quote.dueNow }, key);
  });
  await applyProviderTruth(billing, accountId, truth, actor);
}
