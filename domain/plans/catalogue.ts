/** The built-in plan catalogue: validated data, applied at start. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { dayMs } from "#platform/clock.ts";
import { executionsKeptBy } from "#contract/workspaces/kept-executions.ts";
import { billingPeriod, customQuota, planSpec, type Plan, type PlanSpec } from "#contract/billing/plans/plan.ts";

/** What a plan allows, as in the catalogue; members that depend on an account's subscription are added when it is shown. */
const cataloguePlanSpec = planSpec.omit({ planId: true, expirationDate: true, trialDays: true });
export type CataloguePlanSpec = z.infer<typeof cataloguePlanSpec>;

/** An entry of the price catalogue; `spec` is the id of what it sells. Prices are in minor units, before tax. */
const cataloguePlan = z.strictObject({
  id: z.string().min(1).max(64),
  name: z.string().min(1),
  spec: z.string(),
  billingType: z.enum(["one-time", "custom", "month", "year"]),
  billingPeriod,
  recurringPrice: z.record(z.string().regex(/^[A-Z]{3}$/), z.number().int().min(0)),
  customQuotas: z.strictObject({ monthlyExecutions: customQuota, activeWorkflows: customQuota }).optional(),
  /** Can no longer be chosen; existing customers keep it. */
  withdrawn: z.boolean().optional(),
});
export type CataloguePlan = z.infer<typeof cataloguePlan>;

export const catalogue = z
  .strictObject({ specs: z.array(cataloguePlanSpec).min(1), plans: z.array(cataloguePlan).min(1) })
  .superRefine(({ specs, plans }, context) => {
    const known = new Set(specs.map(({ id }) => id));
    for (const plan of plans) {
      if (!known.has(plan.spec)) context.addIssue({ code: "custom", message: `plan ${plan.id} sells ${plan.spec}, which is not a spec` });
      if (plan.recurringPrice["USD"] === undefined)
        context.addIssue({ code: "custom", message: `plan ${plan.id} has no price in USD, which plans are sorted by` });
    }
    for (const ids of [specs, plans].map((list) => list.map(({ id }) => id))) {
      for (const id of ids.filter((one, index) => ids.indexOf(one) !== index))
        context.addIssue({ code: "custom", message: `${id} is listed twice` });
    }
  });
export type Catalogue = z.infer<typeof catalogue>;

/** The length of a trial in days from start to end, including extensions. */
export const trialLength = (startedAt: Date, endsAt: Date): number =>
  Math.max(1, Math.round((endsAt.getTime() - startedAt.getTime()) / dayMs));

/** The plan that every account begins with. */
export const trialPlanId = "trial-1";

/** Reads plans.json, or the operator's file; throws with every problem if it is not a valid catalogue. */
export function readCatalogue(file: string | URL = new URL("plans.json", import.meta.url)): Catalogue {
  return catalogue.parse(JSON.parse(readFileSync(file, "utf8")));
}

/** The contract's PlanSpec for an account billed for `planId`. */
export function planSpecView(spec: CataloguePlanSpec, planId: string, expiresAt: Date | null): PlanSpec {
  // Said even if the plan leaves it to the default, which custom quotas do not change.
  return { ...spec, executionsKept: executionsKeptBy(spec), planId, expirationDate: expiresAt?.toISOString() ?? null };
}

/** The contract's Plan. */
export function planView(plan: Omit<CataloguePlan, "spec" | "withdrawn">, spec: CataloguePlanSpec): Plan {
  return {
    id: plan.id,
    name: plan.name,
    // Yearly plans have type year, even if an old applied catalogue says otherwise for custom quotas.
    billing_type: plan.billingPeriod.unit === "yr" ? "year" : plan.billingType,
    billing_period: plan.billingPeriod,
    recurring_price: plan.recurringPrice,
    custom_quotas: plan.customQuotas ?? null,
    spec: planSpecView(spec, plan.id, null),
  };
}
