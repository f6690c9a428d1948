/** The subscription as the billing page shows it, from our copy of the provider's state, so that the page never waits for the provider. */
import { eq, inArray } from "drizzle-orm";
import type { Subscription } from "#contract/billing/billing.ts";
import { plans, subscriptions } from "#database/tables.ts";
import type { PaymentProvider } from "#payments/payment-provider.ts";
import { isArranged, stateOf } from "#domain/billing/subscription/subscription-states.ts";
import { after } from "#platform/clock.ts";
import type { Connection } from "#platform/database.ts";

type Row = typeof subscriptions.$inferSelect;

/** Null before the launch, when there is none. */
export async function readSubscriptionView(
  db: Connection,
  accountId: string,
  provider: Pick<PaymentProvider, "name" | "lockedBeforeRenewalMs">,
): Promise<Subscription | null> {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.accountId, accountId)).limit(1);
  if (!row) return null;
  const known = await readPlans(db, row);
  const plan = known.get(row.planId)!;
  return {
    status: row.status,
    planId: row.planId,
    planName: plan.name,
    billingPeriod: { unit: plan.periodUnit, count: plan.periodCount },
    currency: row.currency,
    quotas:
      row.customExecutions === null || row.customWorkflows === null
        ? null
        : { monthlyExecutions: row.customExecutions, activeWorkflows: row.customWorkflows },
    periodEndsAt: iso(row.periodEndsAt),
    cancelAt: iso(row.cancelAt),
    changesCloseAt: iso(changesClose(row, provider)),
    isArranged: isArranged(row),
    scheduledChange:
      row.scheduledPlanId && row.scheduledAt
        ? {
            planId: row.scheduledPlanId,
            planName: known.get(row.scheduledPlanId)?.name ?? row.scheduledPlanId,
            at: row.scheduledAt.toISOString(),
          }
        : null,
    retries: row.status === "past_due" ? row.retries : [],
    pausedAt: iso(row.pausedAt),
    deletionAt: iso(row.deletionAt),
    credit: row.currency && row.creditAmount !== 0 ? { amount: row.creditAmount, currency: row.currency } : null,
  };
}

function changesClose(row: Row, { name, lockedBeforeRenewalMs }: Pick<PaymentProvider, "name" | "lockedBeforeRenewalMs">): Date | null {
  if (lockedBeforeRenewalMs === 0 || row.provider !== name || !row.periodEndsAt || stateOf(row) !== "active") return null;
  return after(row.periodEndsAt, -lockedBeforeRenewalMs);
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

async function readPlans(db: Connection, row: Row): Promise<Map<string, typeof plans.$inferSelect>> {
  const ids = [row.planId, ...(row.scheduledPlanId ? [row.scheduledPlanId] : [])];
  const found = await db.select().from(plans).where(inArray(plans.id, ids));
  return new Map(found.map((plan) => [plan.id, plan]));
}
