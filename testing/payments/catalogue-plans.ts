/** The plans of the catalogue in the forms that the product works with. */
import type { Plan } from "#contract/billing/plans/plan.ts";
import { planView, readCatalogue } from "#domain/plans/catalogue.ts";
import type { PlanFacts } from "#domain/plans/plan-facts.ts";

const { plans, specs } = readCatalogue();
const specOf = (plan: (typeof plans)[number]) => specs.find(({ id }) => id === plan.spec)!;

/** Facts of every plan, by its id. */
export const planFacts: ReadonlyMap<string, PlanFacts> = new Map(
  plans.map((plan): [string, PlanFacts] => [
    plan.id,
    {
      planId: plan.id,
      name: plan.name,
      specId: plan.spec,
      billingType: plan.billingType,
      period: plan.billingPeriod,
      recurringPrice: plan.recurringPrice,
      customQuotas: plan.customQuotas ?? null,
      withdrawn: plan.withdrawn ?? false,
      spec: specOf(plan),
    },
  ]),
);

/** The monthly plans on sale, as the panel gets them. */
export const monthlyPlans: readonly Plan[] = plans
  .filter(({ id, withdrawn }) => id.endsWith("-monthly") && !withdrawn)
  .map((plan) => planView(plan, specOf(plan)));
