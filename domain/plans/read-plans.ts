/** The catalogue as customers see it. */
import { and, eq, isNull, ne } from "drizzle-orm";
import { plans, planSpecs } from "#database/tables.ts";
import type { Plan } from "#contract/billing/plans/plan.ts";
import type { Connection } from "#platform/database.ts";
import { planView, type CataloguePlan, type CataloguePlanSpec } from "./catalogue.ts";

/** The plans that can be chosen, cheapest first by USD recurring price; the trial cannot be chosen. */
export async function listPlans(db: Connection): Promise<Plan[]> {
  const rows = await selectPlans(db).where(and(isNull(plans.withdrawnAt), ne(plans.billingType, "one-time")));
  return rows
    .map(toView)
    .filter(isChoosable)
    .toSorted((one, other) => usd(one) - usd(other) || one.id.localeCompare(other.id));
}

/** One plan, possibly withdrawn; null if there is none. */
export async function findPlan(db: Connection, id: string): Promise<Plan | null> {
  const [row] = await selectPlans(db).where(eq(plans.id, id)).limit(1);
  return row ? toView(row) : null;
}

/** A plan with custom quotas can be chosen only if its spec allows them. */
const isChoosable = ({ custom_quotas, spec }: Plan): boolean => custom_quotas === null || spec.allowCustomQuotas;

const usd = (plan: Plan): number => plan.recurring_price["USD"] ?? Infinity;

const selectPlans = (db: Connection) =>
  db.select({ plan: plans, spec: planSpecs.spec }).from(plans).innerJoin(planSpecs, eq(planSpecs.id, plans.specId));

/** The rows were validated when they were applied. */
function toView({ plan, spec }: { plan: typeof plans.$inferSelect; spec: unknown }): Plan {
  const customQuotas = plan.customQuotas as CataloguePlan["customQuotas"] | null;
  return planView(
    {
      id: plan.id,
      name: plan.name,
      billingType: plan.billingType,
      billingPeriod: { unit: plan.periodUnit, count: plan.periodCount },
      recurringPrice: plan.recurringPrice,
      ...(customQuotas ? { customQuotas } : {}),
    },
    { ...(spec as Omit<CataloguePlanSpec, "id">), id: plan.specId },
  );
}
