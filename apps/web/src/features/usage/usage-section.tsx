import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import type { ReactNode } from "react";
import type { UsedLimits } from "#contract/workspaces/monitoring/usage.ts";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/notices/empty-state.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Skeleton, SkeletonGroup } from "../../ui/progress/skeleton.tsx";
import { t } from "./words.ts";
import { useShownState } from "../workspace/state/use-shown-state.ts";
import { UsageChart } from "./usage-chart.tsx";
import { UsageMeters } from "./usage-meters.tsx";
import { UsageNotice } from "./usage-notice.tsx";
import { usageQuery } from "./usage-query.ts";
import { WebhookLine } from "./webhook-line.tsx";
import { WorkflowList } from "./workflow-list.tsx";

/** How much of the plan is used: figures, a forecast, and the history. */
export function UsageSection() {
  const { data: usage, error, refetch } = useQuery(usageQuery);
  return (
    <Card label={t("usage.title")}>
      <h2 className="border-b border-line px-5 py-3.5 font-semibold sm:px-6">{t("usage.title")}</h2>
      {usage ? (
        <Figures usage={usage} />
      ) : usage === null ? (
        <Nothing />
      ) : error ? (
        <NotLoaded error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </Card>
  );
}

/** Reserves the space of figures with a chart from the start, so that nothing below moves when they appear. */
const room = "min-h-[618px] sm:min-h-[515px]";

const Body = ({ children }: { children: ReactNode }) => <div className={`${room} flex flex-col gap-6 p-5 sm:px-6`}>{children}</div>;

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
  <div className={`${room} grid items-center`}>
    <EmptyState icon={<ChartColumn />} title={t("usage.none")}>
      {t("usage.noneText")}
    </EmptyState>
  </div>
);

const NotLoaded = ({ error, onRetry }: { error: Error; onRetry: () => void }) => (
  <div className="p-5">
    <ErrorNotice error={error} title={t("usage.notLoaded")} onRetry={onRetry} />
  </div>
);

const Loading = () => (
  <SkeletonGroup label={t("usage.loading")} className={`${room} space-y-4 p-5 sm:px-6`}>
    <Skeleton className="h-4 w-2/5" />
    <Skeleton className="h-2 w-full" />
    <Skeleton className="h-64 w-full" />
  </SkeletonGroup>
);
