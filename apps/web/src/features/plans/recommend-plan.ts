/** Which plan fits the actual usage. */
import type { Plan } from "#contract/billing/plans/plan.ts";
import { byPrice } from "./shown-plans.ts";

interface UsageFacts {
  /** In the period of the limit, so far. */
  executions: number;
  activeWorkflows: number;
  /** Executions of each day, as far back as they are known. */
  history: readonly { executions: number }[];
}

/** A month that is nearly full is not a good fit: a fifth is left free. */
const headroom = 1.2;
const monthDays = 30;
/** A few days say little about a month. */
const leastDays = 3;

/** Expected executions in a month: what was counted, or 30 times the daily average of the last month if that is more. */
export function expectedExecutions({ executions, history }: UsageFacts): number {
  const days = history.slice(-monthDays);
  if (days.length < leastDays) return executions;
  const perDay = days.reduce((sum, day) => sum + day.executions, 0) / days.length;
  return Math.max(executions, Math.ceil(perDay * monthDays));
}

/** The cheapest of `plans` whose quotas cover that usage; null if nothing was used yet, or none does. */
export function recommendPlan(plans: readonly Plan[], usage: UsageFacts | null): Plan | null {
  if (!usage || (usage.executions === 0 && usage.activeWorkflows === 0)) return null;
  const executions = expectedExecutions(usage) * headroom;
  const holds = (limit: number, need: number): boolean => limit === -1 || limit >= need;
  const fits = ({ spec, custom_quotas: quotas }: Plan): boolean => {
    const most = quotas
      ? { executions: quotas.monthlyExecutions.max, workflows: quotas.activeWorkflows.max }
      : { executions: spec.monthlyExecutionsLimit, workflows: spec.activeWorkflowsLimit };
    return holds(most.executions, executions) && holds(most.workflows, usage.activeWorkflows);
  };
  // At the same price, a ready-made plan comes before a custom one.
  const known = byPrice(plans);
  const first = known.find(fits);
  return (
    known.find((plan) => !plan.custom_quotas && fits(plan) && plan.recurring_price["USD"] === first?.recurring_price["USD"]) ??
    first ??
    null
  );
}
