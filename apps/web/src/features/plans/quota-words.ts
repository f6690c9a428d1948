import type { Plan } from "#contract/plan.ts";
import "../../words/add-billing-words.ts";
import { t } from "../../words/words.ts";

const number = new Intl.NumberFormat("en");

/** A plan's quotas in words. */
export function quotaWords({ spec: { monthlyExecutionsLimit: executions, activeWorkflowsLimit: workflows } }: Pick<Plan, "spec">): { executions: string; workflows: string } {
  return {
    executions: executions === -1 ? t("plans.executionsUnlimited") : t("plans.executions", { count: number.format(executions) }),
    workflows: workflows === -1 ? t("plans.workflowsUnlimited") : t("plans.workflows", { count: workflows }),
  };
}
