import { useQuery } from "@tanstack/react-query";
import type { PlanSpec } from "#contract/billing/plan.ts";
import { t } from "../words.ts";
import { quotaWords } from "../../plans/quotas/quota-words.ts";
import { UsageMeters } from "../../usage/usage-meters.tsx";
import { usageQuery } from "../../usage/usage-query.ts";

/** How much of the plan is used; what it allows, until something was counted. */
export function PlanUsage({ spec, className }: { spec: PlanSpec; className?: string }) {
  const { data: usage, isError } = useQuery(usageQuery);
  if (usage) {
    return (
      <div className={className}>
        <UsageMeters usage={usage} />
      </div>
    );
  }
  const { executions, workflows } = quotaWords({ spec });
  return (
    <div className={`${className ?? ""} text-sm`}>
      <p>{executions}</p>
      <p>{workflows}</p>
      {isError ? <p className="mt-1 text-ink-soft">{t("billing.plan.noUsage")}</p> : null}
    </div>
  );
}
