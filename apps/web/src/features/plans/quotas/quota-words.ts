import type { Plan } from "#contract/billing/plans/plan.ts";
import { formatPrice } from "../../billing/format-price.ts";
import { t } from "../../billing/words.ts";
import type { QuotaBounds, QuotaName } from "./custom-quotas.ts";
import { number } from "../../../lib/formats.ts";

/** Executions a month in words; -1 is unlimited. */
export const executionsWords = (limit: number): string =>
  limit === -1 ? t("plans.executionsUnlimited") : t("plans.executions", { count: number.format(limit) });

/** A plan's quotas in words. */
export function quotaWords({ spec: { monthlyExecutionsLimit: executions, activeWorkflowsLimit: workflows } }: Pick<Plan, "spec">): {
  executions: string;
  workflows: string;
} {
  return {
    executions: executionsWords(executions),
    workflows: workflows === -1 ? t("plans.workflowsUnlimited") : t("plans.workflows", { count: workflows }),
  };
}

/** Extra executions are priced by the thousand, extra workflows one by one. */
export function extraPrice(name: QuotaName, { per, price }: QuotaBounds, currency: string): string {
  const formatted = formatPrice({ amount: price[currency] ?? 0, currency });
  return name === "monthlyExecutions"
    ? t("plans.quota.perExecutions", { price: formatted, count: number.format(per) })
    : t("plans.quota.perWorkflow", { price: formatted });
}
