import { useSearchParams } from "react-router";
import type { MonitoringRange } from "#contract/workspaces/monitoring/monitoring.ts";
import { scales } from "./chart/plot.ts";

export const ranges = Object.keys(scales) as MonitoringRange[];

/** The address names the displayed period. */
export function useRange(): [MonitoringRange, (next: MonitoringRange) => void] {
  const [items, setItems] = useSearchParams();
  const range = ranges.find((each) => each === items.get("range")) ?? "24h";
  return [range, (next) => setItems(next === "24h" ? {} : { range: next }, { replace: true, preventScrollReset: true })];
}
