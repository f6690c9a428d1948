/** From samples to what is drawn: points in a box, broken where nothing ran. */
export interface Sample {
  at: string;
  memoryMb: number;
}

export interface PlotBox {
  width: number;
  height: number;
  fromMs: number;
  toMs: number;
  /** The value at the top of the plot. */
  topMb: number;
}

/**
 * Two samples further apart than this have a time between them in which nothing ran: samples come at least each ten minutes, and take up to
 * a minute.
 */
const gapMs = 12 * 60_000;

/** One SVG path per stretch without a gap; a stretch of one sample becomes a short line, which would otherwise be invisible. */
export function memoryPaths(samples: readonly Sample[], box: PlotBox): string[] {
  const stretches: string[][] = [];
  let lastMs = -Infinity;
  for (const { at, memoryMb } of samples) {
    const ms = Date.parse(at);
    if (ms < box.fromMs) continue;
    const point = `${round(((ms - box.fromMs) / (box.toMs - box.fromMs)) * box.width)} ${round(box.height - (Math.min(memoryMb, box.topMb) / box.topMb) * box.height)}`;
    if (ms - lastMs > gapMs) stretches.push([point]);
    else stretches.at(-1)!.push(point);
    lastMs = ms;
  }
  return stretches.map((points) => (points.length === 1 ? `M${points[0]} h1` : `M${points.join(" L")}`));
}

const round = (value: number): number => Math.round(value * 10) / 10;

export interface MemorySummary {
  nowMb: number;
  peak: Sample;
}

/** The newest and the highest sample; null where there is none. */
export function summarise(samples: readonly Sample[]): MemorySummary | null {
  const last = samples.at(-1);
  if (!last) return null;
  return { nowMb: last.memoryMb, peak: samples.reduce((highest, sample) => (sample.memoryMb > highest.memoryMb ? sample : highest)) };
}

/** The highest of each hour, newest first, for those who read figures rather than lines. */
export function hourlyPeaks(samples: readonly Sample[]): { hour: string; memoryMb: number }[] {
  const byHour = new Map<string, number>();
  for (const { at, memoryMb } of samples) {
    const hour = `${at.slice(0, 13)}:00:00.000Z`;
    byHour.set(hour, Math.max(byHour.get(hour) ?? 0, memoryMb));
  }
  return Array.from(byHour, ([hour, memoryMb]) => ({ hour, memoryMb })).toReversed();
}
