/** Finds subscriptions whose plan and grant differ. */
import { and, eq, gt, inArray, isNull, ne } from "drizzle-orm";
import { plans, subscriptions } from "#database/tables.ts";
import { theService, type Billing } from "../billing.ts";
import { changeSubscription } from "../carry-out.ts";
import type { Effect } from "../subscription/subscription-machine.ts";

const batch = 500;

/**
 * Grants what is billed where the two differ without a reason, such as when an operator changed what a plan includes, or edited a
 * row by hand. Each case is logged and counted; returns the number of cases.
 */
export async function healGrants(billing: Billing): Promise<number> {
  let healed = 0;
  for (let last = "00000000-0000-0000-0000-000000000000"; ;) {
    const found = await billing.db
      .select({ accountId: subscriptions.accountId, differs: ne(subscriptions.specId, plans.specId).mapWith(Boolean) })
      .from(subscriptions)
      .innerJoin(plans, eq(plans.id, subscriptions.planId))
      .where(
        and(
          gt(subscriptions.accountId, last),
          isNull(subscriptions.scheduledPlanId),
          inArray(subscriptions.status, ["active", "trialing", "past_due"]),
        ),
      )
      .orderBy(subscriptions.accountId)
      .limit(batch);
    for (const { accountId, differs } of found) if (differs) healed += await healGrant(billing, accountId);
    if (found.length < batch) return healed;
    last = found.at(-1)!.accountId;
  }
}

async function healGrant(billing: Billing, accountId: string): Promise<number> {
  const { next } = await changeSubscription(billing, accountId, { actor: theService }, ({ held, plans: all }) => {
    const plan = held && all.get(held.planId);
    if (!held || !plan || held.scheduledPlanId || plan.specId === held.specId) return { next: null };
    const detail = `${held.planId} sells ${plan.specId}, granted was ${held.specId}`;
    const effects: Effect[] = [
      { kind: "correction", correction: "grant-mismatch", detail },
      { kind: "audit", action: "subscription.healed" },
    ];
    return { next: { row: { ...held, specId: plan.specId }, effects } };
  });
  return next ? 1 : 0;
}
