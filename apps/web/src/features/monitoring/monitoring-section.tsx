import { useQuery } from "@tanstack/react-query";
import type { MonitoringRange } from "#contract/workspaces/monitoring/monitoring.ts";
import { number } from "../../lib/formats.ts";
import { classNames } from "../../ui/class-names.ts";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Notice } from "../../ui/notices/notice.tsx";
import { Skeleton, SkeletonGroup } from "../../ui/progress/skeleton.tsx";
import { Section } from "../../ui/section.tsx";
import { RestartButton } from "../workspace/restart-button.tsx";
import { MarkList } from "./mark-list.tsx";
import { MetricChart } from "./metric-chart.tsx";
import { pointsOf } from "./plot.ts";
import { monitoringQuery } from "./monitoring-query.ts";
import { ranges, useRange } from "./use-range.ts";
import { t } from "./words.ts";

/** The memory of the workspace against its limit, with what happened to it on the same axis. */
export function MonitoringSection() {
  const [range, choose] = useRange();
  const { data, error, refetch, isPlaceholderData } = useQuery(monitoringQuery(range));
  return (
    <Section
      title={t("monitoring.memory.title")}
      lead={t("monitoring.memory.lead")}
      action={<RangeChoice range={range} onChoose={choose} />}
    >
      {data && data.plannedMb !== data.limitMb ? (
        <Notice
          tone="info"
          title={t("monitoring.memory.planned", { planned: number.format(data.plannedMb), limit: number.format(data.limitMb) })}
          action={<RestartButton />}
          className="mb-4"
        />
      ) : null}
      {data ? (
        <div className={classNames("transition-opacity", isPlaceholderData && "opacity-60")}>
          <MetricChart
            metric="memory"
            points={pointsOf(data.samples, ({ memoryMb }) => memoryMb)}
            limit={data.limitMb}
            range={range}
            {...data}
          >
            <MarkList marks={data.marks} />
          </MetricChart>
        </div>
      ) : error ? (
        <ErrorNotice error={error} title={t("monitoring.memory.failed")} onRetry={() => void refetch()} />
      ) : (
        <SkeletonGroup label={t("common.loading")}>
          <Skeleton className="mb-3 h-10 w-72 max-w-full sm:h-5" />
          <Skeleton className="h-[362px]" />
        </SkeletonGroup>
      )}
    </Section>
  );
}

function RangeChoice({ range, onChoose }: { range: MonitoringRange; onChoose: (range: MonitoringRange) => void }) {
  return (
    <div role="group" aria-label={t("monitoring.range.label")} className="flex rounded-lg border border-line-strong p-0.5 max-sm:w-full">
      {ranges.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === range}
          onClick={() => onChoose(each)}
          className={classNames(
            "min-h-8 flex-auto rounded-md px-1.5 text-[0.8125rem] font-medium sm:px-2.5 sm:whitespace-nowrap",
            each === range ? "bg-accent-soft text-accent-strong" : "text-ink-soft hover:text-ink",
          )}
        >
          {t(`monitoring.range.${each}`)}
        </button>
      ))}
    </div>
  );
}

/** The processor and the disk, over the same time; nothing where the host cannot tell. */
export function MoreMonitoring() {
  const [range] = useRange();
  const { data, isPlaceholderData } = useQuery(monitoringQuery(range));
  if (!data) return null;
  const kinds = [
    { metric: "cpu", points: pointsOf(data.samples, ({ cpuPercent }) => cpuPercent), limit: data.cpuLimitPercent },
    { metric: "disk", points: pointsOf(data.samples, ({ diskMb }) => diskMb), limit: data.diskLimitMb },
  ] as const;
  return kinds
    .filter(({ points }) => points.length > 0)
    .map(({ metric, points, limit }) => (
      <Section key={metric} title={t(`monitoring.${metric}.title`)} lead={t(`monitoring.${metric}.lead`)}>
        <div className={classNames("transition-opacity", isPlaceholderData && "opacity-60")}>
          <MetricChart metric={metric} points={points} limit={limit} range={range} {...data} />
        </div>
      </Section>
    ));
}
