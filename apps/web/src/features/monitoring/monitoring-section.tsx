import { useQuery } from "@tanstack/react-query";
import { Activity } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { MonitoringRange } from "#contract/workspaces/monitoring/monitoring.ts";
import { number } from "../../lib/formats.ts";
import { classNames } from "../../ui/class-names.ts";
import { EmptyState } from "../../ui/notices/empty-state.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Notice } from "../../ui/notices/notice.tsx";
import { Skeleton, SkeletonGroup } from "../../ui/progress/skeleton.tsx";
import { Section } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";
import { RestartButton } from "../workspace/restart-button.tsx";
import { MarkList } from "./chart/mark-list.tsx";
import { peaksOf, pointsOf, scales } from "./chart/plot.ts";
import { TimeAxis } from "./chart/time-axis.tsx";
import { amountOf, MetricPlot, timeOf, type Metric } from "./metric-plot.tsx";
import { monitoringQuery, type Monitored } from "./monitoring-query.ts";
import { ranges, useRange } from "./use-range.ts";
import { t } from "./words.ts";

/**
 * Memory, processor and disk against their limits, with what happened to the workspace, all on one axis. `below` comes once its height is
 * known.
 */
export function MonitoringSection({ below }: { below: ReactNode }) {
  const [range] = useRange();
  const { data, error, refetch, isPlaceholderData } = useQuery(monitoringQuery(range));
  return (
    <>
      <Section title={t("monitoring.resources.title")} lead={t("monitoring.resources.lead")}>
        {data && data.plannedMb !== data.limitMb ? (
          <Notice
            tone="info"
            title={t("monitoring.memory.planned", { planned: number.format(data.plannedMb), limit: number.format(data.limitMb) })}
            action={<RestartButton />}
            className="mb-5"
          />
        ) : null}
        {data ? (
          <div className={classNames("transition-opacity", isPlaceholderData && "opacity-60")}>
            <Resources seen={data} range={range} />
          </div>
        ) : error ? (
          <ErrorNotice error={error} title={t("monitoring.resources.failed")} onRetry={() => void refetch()} />
        ) : (
          <SkeletonGroup label={t("common.loading")}>
            <Skeleton className="h-[720px]" />
          </SkeletonGroup>
        )}
      </Section>
      {data || error ? below : null}
    </>
  );
}

/** Metrics that the host cannot measure are left out. */
function Resources({ seen, range }: { seen: Monitored; range: MonitoringRange }) {
  const [readMs, read] = useState<number | null>(null);
  const { samples, marks } = seen;
  const span = { fromMs: Date.parse(seen.from), toMs: Date.parse(seen.to) };
  const metrics: Metric[] = [
    { name: "memory" as const, points: pointsOf(samples, ({ memoryMb }) => memoryMb), limit: seen.limitMb },
    { name: "cpu" as const, points: pointsOf(samples, ({ cpuPercent }) => cpuPercent), limit: seen.cpuLimitPercent },
    { name: "disk" as const, points: pointsOf(samples, ({ diskMb }) => diskMb), limit: seen.diskLimitMb },
  ].filter(({ points }) => points.length > 0);
  return (
    <>
      {metrics.length > 0 ? (
        <div className="space-y-5">
          {metrics.map((metric) => (
            <MetricPlot key={metric.name} {...metric} {...span} range={range} marks={marks} readMs={readMs} onRead={read} />
          ))}
        </div>
      ) : (
        <div className="grid min-h-64 place-items-center rounded-md bg-sunken">
          <EmptyState icon={<Activity />} title={t("monitoring.resources.empty")}>
            {t("monitoring.resources.emptyText")}
          </EmptyState>
        </div>
      )}
      <TimeAxis {...span} marks={marks} />
      <MarkList marks={marks} />
      {metrics.length > 0 ? <PeaksTable metrics={metrics} range={range} /> : null}
    </>
  );
}

/** For those who read figures rather than lines: the highest of each span, newest first. */
function PeaksTable({ metrics, range }: { metrics: readonly Metric[]; range: MonitoringRange }) {
  const peaks = metrics.map(({ name, points }) => ({
    name,
    byTime: new Map(peaksOf(points, scales[range].rowMs).map(({ at, value }) => [at, value])),
  }));
  const times = [...new Set(peaks.flatMap(({ byTime }) => [...byTime.keys()]))].toSorted().toReversed();
  return (
    <details className="mt-4 text-sm">
      <summary className="w-fit cursor-pointer rounded-sm text-ink-soft">{t("monitoring.table")}</summary>
      <Table
        label={t("monitoring.highest")}
        columns={[
          { label: t("monitoring.time"), cell: (at: string) => timeOf(range, at) },
          ...peaks.map(({ name, byTime }) => ({
            label: t(`monitoring.${name}.title`),
            cell: (at: string) => (byTime.has(at) ? amountOf(name, byTime.get(at)!) : "–"),
            isNumber: true,
          })),
        ]}
        rows={times}
        keyOf={(at) => at}
        className="mt-2"
      />
    </details>
  );
}

/** How much time the whole page shows. */
export function RangeChoice() {
  const [range, choose] = useRange();
  return (
    <div
      role="group"
      aria-label={t("monitoring.range.label")}
      className="flex rounded-lg border border-line-strong bg-surface p-0.5 max-sm:w-full"
    >
      {ranges.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === range}
          onClick={() => choose(each)}
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
