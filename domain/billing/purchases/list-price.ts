/** What a plan costs a period by its list, before tax. */
import type { PriceLine } from "#contract/billing/billing.ts";
import { purchaseOf, type PlanFacts } from "../plan-facts.ts";
import type { Quotas } from "../billing.ts";

/** The plan and what is bought beside it, in minor units of `currency`; for a plan that is sold in it. */
export function listPrice(plan: PlanFacts, quotas: Quotas | null, currency: string): PriceLine[] {
  const { extraExecutionUnits, extraWorkflowUnits } = purchaseOf(plan, quotas);
  const line = (label: string, quantity: number, price: number): PriceLine => ({
    label,
    quantity,
    amount: { amount: quantity * price, currency },
    isProration: false,
  });
  const { monthlyExecutions, activeWorkflows } = plan.customQuotas ?? {};
  return [
    line(plan.name, 1, plan.recurringPrice[currency] ?? 0),
    line(`${(monthlyExecutions?.per ?? 0).toLocaleString("en")} executions`, extraExecutionUnits, monthlyExecutions?.price[currency] ?? 0),
    line("active workflows", extraWorkflowUnits, activeWorkflows?.price[currency] ?? 0),
  ].filter(({ quantity }) => quantity > 0);
}
