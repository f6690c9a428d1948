/** What the subscription machine needs to know about a plan: what it grants, what it costs, and how chosen quotas become billed units. */
import { changeDirection, type ChangeDirection, type ComparedPlan } from "#contract/billing/plans/change-direction.ts";
import type { Purchase } from "#payments/payment-provider.ts";
import type { CataloguePlan, CataloguePlanSpec } from "./catalogue.ts";

/** Quotas chosen by the customer: executions per month and active workflows. */
export interface Quotas {
  monthlyExecutions: number;
  activeWorkflows: number;
}

/** What a customer wants to buy; `quotas` only for plans with custom quotas. */
export interface Choice {
  planId: string;
  quotas: Quotas | null;
}

export interface PlanFacts {
  planId: string;
  name: string;
  specId: string;
  billingType: CataloguePlan["billingType"];
  period: CataloguePlan["billingPeriod"];
  recurringPrice: Readonly<Record<string, number>>;
  customQuotas: NonNullable<CataloguePlan["customQuotas"]> | null;
  withdrawn: boolean;
  spec: Omit<CataloguePlanSpec, "id">;
}

/** The catalogue by plan id. */
export type Plans = ReadonlyMap<string, PlanFacts>;

/** The quotas that a purchase grants in place of the spec's; null for plans without custom quotas. */
export function quotasOf({ customQuotas }: PlanFacts, { extraExecutionUnits, extraWorkflowUnits }: Purchase): Quotas | null {
  if (!customQuotas) return null;
  const { monthlyExecutions, activeWorkflows } = customQuotas;
  return {
    monthlyExecutions: monthlyExecutions.included + extraExecutionUnits * monthlyExecutions.per,
    activeWorkflows: activeWorkflows.included + extraWorkflowUnits * activeWorkflows.per,
  };
}

/** What is billed for a choice; a started unit counts as a whole one. */
export function purchaseOf({ planId, customQuotas }: PlanFacts, quotas: Quotas | null): Purchase {
  if (!customQuotas || !quotas) return { planId, extraExecutionUnits: 0, extraWorkflowUnits: 0 };
  const units = (wanted: number, { included, per }: { included: number; per: number }) => Math.max(0, Math.ceil((wanted - included) / per));
  return {
    planId,
    extraExecutionUnits: units(quotas.monthlyExecutions, customQuotas.monthlyExecutions),
    extraWorkflowUnits: units(quotas.activeWorkflows, customQuotas.activeWorkflows),
  };
}

/** What is allowed; -1 is unlimited. */
interface Grant {
  executions: number;
  workflows: number;
}

/** What a plan with these quotas allows. */
export function grantOf(spec: Pick<CataloguePlanSpec, "monthlyExecutionsLimit" | "activeWorkflowsLimit">, quotas: Quotas | null): Grant {
  return {
    executions: quotas?.monthlyExecutions ?? spec.monthlyExecutionsLimit,
    workflows: quotas?.activeWorkflows ?? spec.activeWorkflowsLimit,
  };
}

const months = { day: 1 / 30, month: 1, yr: 12 } as const;
/** Length of a billing period in months. */
export const periodMonths = ({ unit, count }: PlanFacts["period"]): number => months[unit] * count;

interface Chosen {
  plan: PlanFacts;
  quotas: Quotas | null;
}

/** The direction of a change: `contract/billing/plans/change-direction.ts`. */
export const directionOf = (from: Chosen, to: Chosen): ChangeDirection => changeDirection(comparedPlan(from), comparedPlan(to));

const comparedPlan = ({ plan: { spec, period, recurringPrice }, quotas }: Chosen): ComparedPlan => ({
  ...grantOf(spec, quotas),
  monthlyPrice: recurringPrice["USD"]! / periodMonths(period),
  features: spec.enabledFeatures.length,
  months: periodMonths(period),
});

/** The plan behind a row's current grant: the billed one, or the previous one while the provider already bills a scheduled plan. */
export function grantedPlan(
  held: { planId: string; specId: string; scheduledFromPlanId: string | null },
  plans: Plans,
): PlanFacts | undefined {
  const named = [held.scheduledFromPlanId, held.planId].map((id) => (id === null ? undefined : plans.get(id)));
  return named.find((plan) => plan?.specId === held.specId) ?? [...plans.values()].find(({ specId }) => specId === held.specId);
}

/** Memory of a workspace on this plan; undefined if neither the plan nor the service sets it. */
export const memoryOf = ({ spec }: PlanFacts, { workspaceMemoryMb }: { workspaceMemoryMb?: number }): number | undefined =>
  spec.memoryMb ?? workspaceMemoryMb;

export const sameQuotas = (a: Quotas | null, b: Quotas | null): boolean =>
  a?.monthlyExecutions === b?.monthlyExecutions && a?.activeWorkflows === b?.activeWorkflows;
