import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import type { ReactNode } from "react";
import type { UsedLimits } from "#contract/workspaces/monitoring/usage.ts";
import { EmptyState } from "../../../ui/notices/empty-state.tsx";
import { useShownState } from "../../workspace/state/use-shown-state.ts";
import { UsageLoading, UsageNotLoaded, usageRoom } from "../usage-loading.tsx";
import { UsageMeters } from "../usage-meters.tsx";
import { UsageNotice } from "../usage-notice.tsx";
import { usageQuery } from "../usage-query.ts";
import { t } from "../words.ts";
import { UsageChart } from "./usage-chart.tsx";
import { WebhookLine } from "./webhook-line.tsx";
import { WorkflowList } from "./workflow-list.tsx";

/** Figures, a forecast and the history; or why there are none. */
export function UsageFigures() {
  const { data: usage, error, refetch } = useQuery(usageQuery);
  if (usage) return <Figures usage={usage} />;
  if (usage === null) return <Nothing />;
  return error ? <UsageNotLoaded error={error} onRetry={() => void refetch()} /> : <UsageLoading />;
}

const Body = ({ children }: { children: ReactNode }) => <div className={`${usageRoom} flex flex-col gap-6 p-5 sm:px-6`}>{children}</div>;

function Figures({ usage }: { usage: UsedLimits }) {
  // The workspace's card says it already, in the same words.
  const isSaid = useShownState()?.notices.includes("over-quota");
  return (
    <Body>
      {isSaid ? null : <UsageNotice usage={usage} />}
      <UsageMeters usage={usage} />
      <UsageChart history={usage.history} />
      <WebhookLine />
      <WorkflowList workflows={usage.workflows} />
      <details className="text-sm">
        <summary className="w-fit cursor-pointer rounded text-ink-soft hover:text-ink">{t("usage.whatCounts")}</summary>
        <p className="mt-2 max-w-prose">{t("usage.counts")}</p>
        <p className="mt-2 max-w-prose">{t("usage.countsNot")}</p>
      </details>
    </Body>
  );
}

const Nothing = () => (
  <div className={`${usageRoom} grid items-center`}>
    <EmptyState icon={<ChartColumn />} title={t("usage.none")}>
      {t("usage.noneText")}
    </EmptyState>
  </div>
);
