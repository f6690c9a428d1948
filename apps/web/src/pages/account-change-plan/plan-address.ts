/** The choice is kept in the address, so a reload and the back button keep it. */
import { paths } from "../../lib/paths.ts";
import type { Period } from "../../features/plans/shown-plans.ts";
import { readNumber, type Quotas } from "../../features/plans/quotas/custom-quotas.ts";

export interface PlanChoice {
  /** The plan to confirm; null while one is still chosen. */
  planId: string | null;
  /** For a plan with custom quotas; null while they are still being chosen. */
  quotas: Quotas | null;
  period: Period | null;
  currency: string | null;
}

export function readChoice(items: URLSearchParams): PlanChoice {
  const [executions, workflows] = [readNumber(items.get("executions") ?? ""), readNumber(items.get("workflows") ?? "")];
  const period = items.get("period");
  const currency = items.get("currency");
  return {
    planId: items.get("plan"),
    quotas: executions !== null && workflows !== null ? { monthlyExecutions: executions, activeWorkflows: workflows } : null,
    period: period === "monthly" || period === "yearly" ? period : null,
    currency: currency && /^[A-Z]{3}$/.test(currency) ? currency : null,
  };
}

/** The address for a choice. */
export function choicePath({ planId, quotas, period, currency }: Partial<PlanChoice>): string {
  const items = new URLSearchParams();
  if (planId) items.set("plan", planId);
  if (quotas) {
    items.set("executions", String(quotas.monthlyExecutions));
    items.set("workflows", String(quotas.activeWorkflows));
  }
  if (period) items.set("period", period);
  if (currency) items.set("currency", currency);
  return items.size > 0 ? `${paths.changePlan}?${items}` : paths.changePlan;
}
