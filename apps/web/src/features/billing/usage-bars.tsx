import { useQuery } from "@tanstack/react-query";
import type { PlanSpec } from "#contract/plan.ts";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import "../../words/add-billing-words.ts";
import { t } from "../../words/words.ts";
import { usedLimitsQuery } from "./used-limits-query.ts";

const number = new Intl.NumberFormat("en");

/** How much of the plan's quotas is used; the quotas alone until something was counted. */
export function UsageBars({ spec, className }: { spec: PlanSpec; className?: string }) {
  const { data: used } = useQuery(usedLimitsQuery);
  return (
    <dl className={className}>
      <Bar name={t("billing.plan.executions")} used={used?.executions} limit={spec.monthlyExecutionsLimit} />
      <Bar name={t("billing.plan.workflows")} used={used?.activeWorkflows} limit={spec.activeWorkflowsLimit} />
    </dl>
  );
}

function Bar({ name, used, limit }: { name: string; used: number | undefined; limit: number }) {
  const most = limit === -1 ? t("billing.plan.unlimited") : number.format(limit);
  const isCounted = used !== undefined && limit > 0;
  return (
    <div className="mt-3 text-sm first:mt-0">
      <div className="flex justify-between gap-4">
        <dt>{name}</dt>
        <dd className="tabular-nums">{used === undefined ? most : t("billing.plan.of", { used: number.format(used), limit: most })}</dd>
      </div>
      {isCounted ? (
        <dd className="mt-1.5">
          <ProgressBar value={Math.min(100, Math.round((used / limit) * 100))} label={name} text={t("billing.plan.usedSaid", { name, used: number.format(used), limit: most })} />
        </dd>
      ) : null}
    </div>
  );
}
