import type { MonitoringMark, MonitoringRange } from "#contract/workspaces/monitoring/monitoring.ts";
import { dateFormat, number } from "../../lib/formats.ts";
import { scales, summarise, type Point, type TimeSpan } from "./chart/plot.ts";
import { TimePlot } from "./chart/time-plot.tsx";
import { t } from "./words.ts";

const clock = dateFormat({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
/** No range reaches back a year. */
const moment = dateFormat({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** A moment of a range, in its shortest form. */
export const timeOf = (range: MonitoringRange, at: string): string => (range === "1h" ? clock : moment).format(new Date(at));

type MetricName = "memory" | "cpu" | "disk";

/** A value of a metric with its unit. */
export const amountOf = (metric: MetricName, value: number): string => t(`monitoring.${metric}.amount`, { value: number.format(value) });

export interface Metric {
  name: MetricName;
  points: readonly Point[];
  limit: number;
}

interface MetricPlotProps extends TimeSpan, Metric {
  range: MonitoringRange;
  marks: readonly MonitoringMark[];
  readMs: number | null;
  onRead: (ms: number | null) => void;
}

/** A workspace's usage of one resource against its limit: a sentence and a line. At least one point. */
export function MetricPlot({ name, points, limit, range, ...plot }: MetricPlotProps) {
  const { gapMs, freshMs } = scales[range];
  const { now, peak } = summarise(points, { toMs: plot.toMs, freshMs })!;
  const highest = { peak: amountOf(name, peak.value), time: timeOf(range, peak.at), limit: amountOf(name, limit) };
  return (
    <section aria-label={t(`monitoring.${name}.title`)}>
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="text-sm font-semibold">{t(`monitoring.${name}.title`)}</h3>
        <p className="text-sm tabular-nums">
          {now === null ? t("monitoring.peakOnly", highest) : t("monitoring.summary", { now: amountOf(name, now), ...highest })}
        </p>
        <p className="w-full text-[0.8125rem] text-ink-soft">{t(`monitoring.${name}.lead`)}</p>
      </div>
      <TimePlot
        {...plot}
        points={points}
        limit={limit}
        gapMs={gapMs}
        label={t(`monitoring.${name}.read`)}
        textOf={(value) => amountOf(name, value)}
        className="h-32"
      />
    </section>
  );
}
