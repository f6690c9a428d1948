/** Loads the catalogue for the subscription machine. */
import { eq } from "drizzle-orm";
import { plans, planSpecs } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import type { PlanFacts, Plans } from "./plan-facts.ts";

/** All plans, including withdrawn ones that customers may still have. A dozen rows. */
export async function readPlans(db: Connection): Promise<Plans> {
  const found = await db.select({ plan: plans, spec: planSpecs.spec }).from(plans).innerJoin(planSpecs, eq(planSpecs.id, plans.specId));
  return new Map(
    found.map(({ plan, spec }) => [
      plan.id,
      {
        planId: plan.id,
        name: plan.name,
        specId: plan.specId,
        billingType: plan.billingType,
        period: { unit: plan.periodUnit, count: plan.periodCount },
        recurringPrice: plan.recurringPrice,
        customQuotas: plan.customQuotas as PlanFacts["customQuotas"],
        withdrawn: plan.withdrawnAt !== null,
        spec: spec as PlanFacts["spec"],
      },
    ]),
  );
}
