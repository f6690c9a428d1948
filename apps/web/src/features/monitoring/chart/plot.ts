/** Turns samples into drawings: points in a box, with gaps while nothing ran. */
import type { MonitoringRange } from "#contract/workspaces/monitoring/monitoring.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface Scale {
  /** The time span of each row of the table. */
  rowMs: number;
  /** If two samples are further apart, nothing ran in between: samples come at least every ten minutes, and each hour has one. */
  gapMs: number;
  /** How old the newest sample may be to count as current. The maximum of an hour never does. */
  freshMs: number;
}

export const scales: Record<MonitoringRange, Scale> = {
  "1h": { rowMs: 5 * minuteMs, gapMs: 12 * minuteMs, freshMs: 12 * minuteMs },
  "24h": { rowMs: hourMs, gapMs: 12 * minuteMs, freshMs: 12 * minuteMs },
  "7d": { rowMs: 24 * hourMs, gapMs: 90 * minuteMs, freshMs: -1 },
  "30d": { rowMs: 24 * hourMs, gapMs: 90 * minuteMs, freshMs: -1 },
};

/** One value at one moment. */
export interface Point {
  at: string;
  value: number;
}

/** The time that a chart shows, in milliseconds. */
export interface TimeSpan {
  fromMs: number;
  toMs: number;
}

/** 0 to 1 along the axis; earlier moments are drawn at its beginning. */
export const alongAxis = ({ fromMs, toMs }: TimeSpan, atMs: number): number => Math.min(1, Math.max(0, (atMs - fromMs) / (toMs - fromMs)));

interface PlotBox {
  width: number;
  height: number;
  fromMs: number;
  toMs: number;
  /** The value at the top of the plot. */
  top: number;
  /** If two samples are further apart than this, nothing ran in between. */
  gapMs: number;
}

/** One SVG path for each stretch without a gap; a single sample becomes a short line, because it would otherwise be invisible. */
export function linePaths(samples: readonly Point[], box: PlotBox): string[] {
  const stretches: string[][] = [];
  let lastMs = -Infinity;
  for (const { at, value } of samples) {
    const ms = Date.parse(at);
    if (ms < box.fromMs) continue;
    const point = `${round(((ms - box.fromMs) / (box.toMs - box.fromMs)) * box.width)} ${round(box.height - (Math.min(value, box.top) / box.top) * box.height)}`;
    if (ms - lastMs > box.gapMs) stretches.push([point]);
    else stretches.at(-1)!.push(point);
    lastMs = ms;
  }
  return stretches.map((points) => (points.length === 1 ? `M${points[0]} h1` : `M${points.join(" L")}`));
}

/** The area between a path of `linePaths` and the bottom of its box. */
export function areaPath(path: string, height: number): string {
  return `${path} V${height} H${path.slice(1, path.indexOf(" "))} Z`;
}

/** Groups things along an axis of 0 to 1, in order: those within `share` of a group's first one belong to it. */
export function clusters<Item>(items: readonly Item[], along: (item: Item) => number, share: number): { at: number; items: Item[] }[] {
  const found: { at: number; items: Item[] }[] = [];
  for (const { item, at } of items.map((each) => ({ item: each, at: along(each) })).toSorted((one, other) => one.at - other.at)) {
    const last = found.at(-1);
    if (last && at - last.at < share) last.items.push(item);
    else found.push({ at, items: [item] });
  }
  return found;
}

const round = (value: number): number => Math.round(value * 10) / 10;

interface Summary {
  /** Null if the newest sample is too old to be current: the workspace sleeps, or is stopped. */
  now: number | null;
  peak: Point;
}

/** The newest sample, if it is at most `freshMs` older than `toMs`, and the highest one; null if there is none. */
export function summarise(samples: readonly Point[], { toMs, freshMs }: { toMs: number; freshMs: number }): Summary | null {
  const last = samples.at(-1);
  if (!last) return null;
  return {
    now: toMs - Date.parse(last.at) <= freshMs ? last.value : null,
    peak: samples.reduce((highest, sample) => (sample.value > highest.value ? sample : highest)),
  };
}

/** The highest value of each `spanMs`, newest first, for those who prefer figures to lines. */
export function peaksOf(samples: readonly Point[], spanMs: number): Point[] {
  const bySpan = new Map<number, number>();
  for (const { at, value } of samples) {
    const begin = Math.floor(Date.parse(at) / spanMs) * spanMs;
    bySpan.set(begin, Math.max(bySpan.get(begin) ?? 0, value));
  }
  return Array.from(bySpan, ([begin, value]) => ({ at: new Date(begin).toISOString(), value })).toReversed();
}

/** The index in `samples` of the one nearest to a moment; -1 if there is none. */
export function nearest(samples: readonly Point[], ms: number): number {
  let best = -1;
  let bestMs = Infinity;
  for (const [place, { at }] of samples.entries()) {
    const away = Math.abs(Date.parse(at) - ms);
    if (away < bestMs) [best, bestMs] = [place, away];
  }
  return best;
}

/** One value of each sample that has it. */
export function pointsOf<Sample extends { at: string }>(
  samples: readonly Sample[],
  valueOf: (sample: Sample) => number | null | undefined,
): Point[] {
  return samples.flatMap((sample) => {
    const value = valueOf(sample) ?? null;
    return value === null ? [] : [{ at: sample.at, value }];
  });
}
