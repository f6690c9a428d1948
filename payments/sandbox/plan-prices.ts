/** The sandbox uses the service's catalogue; at a real provider an operator would have entered it. */
import { plans } from "#database/tables.ts";
import type { Database } from "#platform/database.ts";
import { eq } from "drizzle-orm";
import type { FindPrice, PlanPrice } from "../ledger/items.ts";

/** Reads prices from the applied catalogue, including those of withdrawn plans. */
export function planPrices(db: Database): FindPrice {
  return async (planId) => {
    const [plan] = await db.select().from(plans).where(eq(plans.id, planId)).limit(1);
    if (!plan) return undefined;
    const { id, name, periodUnit, periodCount, recurringPrice } = plan;
    const customQuotas = (plan.customQuotas ?? undefined) as PlanPrice["customQuotas"];
    return { id, name, recurringPrice, customQuotas, billingPeriod: { unit: periodUnit, count: periodCount } };
  };
}
