import { AppError } from "#platform/app-error.ts";
import type { Actor, Billing } from "../../billing.ts";
import { applyProviderTruth } from "../../provider-truth/apply-provider-truth.ts";
import { askProvider } from "../../ask-provider.ts";
import { once } from "../../idempotency.ts";
import { grantedPlan, purchaseOf, type Plans } from "#domain/plans/plan-facts.ts";
import { readPlans } from "#domain/plans/plan-facts-store.ts";
import { isSold, keptQuotas, nothingScheduled, stateOf, type SubscriptionRow } from "../../subscription/subscription-states.ts";
import { findSubscription, lockSubscription, saveSubscription } from "../../subscription/subscription-store.ts";

/** Takes back a change that waits for the period's end; nothing to take back is fine. Refuses (AppError) subscription_not_found, payments_unavailable. */
export async function cancelScheduledChange(billing: Billing, accountId: string, actor: Actor, key: string): Promise<void> {
  await once(billing, { accountId, key, call: "cancel-change", request: null }, async (providerKey) => {
    const seen = await findSubscription(billing.db, accountId);
    if (!seen || !isSold(stateOf(seen))) throw new AppError("subscription_not_found");
    const plans = await readPlans(billing.db);
    if (seen.scheduledToldAt) await tellBack(billing, accountId, seen, plans, actor, providerKey);
    else await forget(billing, accountId, plans, actor);
    return null;
  });
}

async function forget(billing: Billing, accountId: string, plans: Plans, actor: Actor): Promise<void> {
  await billing.db.transaction(async (tx) => {
    const held = await lockSubscription(tx, accountId);
    if (!held?.scheduledPlanId) return;
    // Told meanwhile: the next click finds it so.
    if (held.scheduledToldAt) throw new AppError("unavailable");
    await saveSubscription(tx, {
      billing,
      accountId,
      held,
      next: { row: { ...held, ...nothingScheduled }, effects: [{ kind: "audit", action: "subscription.change-taken-back" }] },
      plans,
      actor,
    });
  });
}

/** In the last hour the provider bills the new plan already: it is told the old one again, which is what the running period was paid for. */
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
  await billing.db.transaction(async (tx) => {
    const locked = await lockSubscription(tx, accountId);
    if (!locked) return;
    const row = {
      ...locked,
      pendingPlanId: plan.planId,
      pendingExecutions: quotas?.monthlyExecutions ?? null,
      pendingWorkflows: quotas?.activeWorkflows ?? null,
      pendingKey: key,
    };
    await saveSubscription(tx, {
      billing,
      accountId,
      held: locked,
      next: { row, effects: [{ kind: "audit", action: "subscription.change-taken-back" }] },
      plans,
      actor,
    });
  });
  const request = { subscriptionId: held.providerSubscriptionId!, purchase: purchaseOf(plan, quotas), billing: "next-period" as const };
  const truth = await askProvider(async () => {
    const quote = await billing.provider.previewChange(request, null);
    return billing.provider.change(request, { quotedAt: quote.quotedAt, expectedDueNow: quote.dueNow }, key);
  });
  await applyProviderTruth(billing, accountId, truth, actor);
}
