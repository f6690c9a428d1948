import { useState } from "react";
import type { MonitoringMark } from "#contract/workspaces/monitoring/monitoring.ts";
import type { Point } from "./plot.ts";
import { TimeAxis } from "./time-axis.tsx";
import { TimePlot } from "./time-plot.tsx";

interface TimeChartProps {
  from: string;
  to: string;
  gapMs: number;
  /** At least one. */
  points: readonly Point[];
  marks: readonly MonitoringMark[];
  label: string;
  textOf: (value: number) => string;
}

/** One line with its own axis. */
export function TimeChart({ from, to, marks, ...plot }: TimeChartProps) {
  const [readMs, read] = useState<number | null>(null);
  const span = { fromMs: Date.parse(from), toMs: Date.parse(to) };
  return (
    <>
      <TimePlot {...span} {...plot} limit={null} marks={marks} readMs={readMs} onRead={read} className="h-48" />
      <TimeAxis {...span} marks={marks} />
    </>
  );
}
