import { Activity } from "lucide-react";
import type { ReactNode } from "react";
import type { MonitoringMark, MonitoringRange } from "#contract/workspaces/monitoring/monitoring.ts";
import { dateFormat, moment, number } from "../../lib/formats.ts";
import { EmptyState } from "../../ui/notices/empty-state.tsx";
import { Table } from "../../ui/table.tsx";
import { peaksOf, scales, summarise, type Point } from "./plot.ts";
import { TimeChart } from "./time-chart.tsx";
import { t } from "./words.ts";

const clock = dateFormat({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

interface MetricChartProps {
  metric: "memory" | "cpu" | "disk";
  points: readonly Point[];
  limit: number;
  from: string;
  to: string;
  range: MonitoringRange;
  marks: readonly MonitoringMark[];
  /** Between the chart and its table. */
  children?: ReactNode;
}

/** What a workspace takes of one thing against its limit: a sentence, a chart, and a table for those who read figures rather than lines. */
export function MetricChart({ metric, points, limit, from, to, range, marks, children }: MetricChartProps) {
  const { rowMs, gapMs, freshMs } = scales[range];
  const summary = summarise(points, { toMs: Date.parse(to), freshMs });
  const time = (at: string) => (range === "1h" ? clock : moment).format(new Date(at));
  const textOf = (value: number) => t(`monitoring.${metric}.amount`, { value: number.format(value) });
  const highest = summary && { peak: textOf(summary.peak.value), time: time(summary.peak.at), limit: textOf(limit) };
  return (
    <>
      <p className="mb-3 min-h-10 text-sm sm:min-h-5 tabular-nums">
        {!highest
          ? null
          : summary.now === null
            ? t("monitoring.peakOnly", highest)
            : t("monitoring.summary", { now: textOf(summary.now), ...highest })}
      </p>
      {summary ? (
        <TimeChart
          from={from}
          to={to}
          limit={limit}
          gapMs={gapMs}
          points={points}
          marks={marks}
          label={t(`monitoring.${metric}.read`)}
          textOf={textOf}
        />
      ) : (
        // As high as a chart with its table's line.
        <div className="grid min-h-[298px] place-items-center rounded-md bg-sunken">
          <EmptyState icon={<Activity />} title={t("monitoring.memory.empty")}>
            {t("monitoring.memory.emptyText")}
          </EmptyState>
        </div>
      )}
      {children}
      {summary ? (
        <details className="mt-4 text-sm">
          <summary className="w-fit cursor-pointer rounded-sm text-ink-soft">{t("monitoring.table")}</summary>
          <Table
            label={t(`monitoring.${metric}.read`)}
            columns={[
              { label: t("monitoring.time"), cell: ({ at }) => time(at) },
              { label: t("monitoring.highest"), cell: ({ value }) => textOf(value), isNumber: true },
            ]}
            rows={peaksOf(points, rowMs)}
            keyOf={({ at }) => at}
            fits
            className="mt-2 max-w-sm"
          />
        </details>
      ) : null}
    </>
  );
}
