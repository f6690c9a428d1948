/** How many days a resource lasts if it keeps shrinking as it did in the last week. */
import { dayMs, hourMs } from "#platform/clock.ts";

export interface CapacitySample {
  /** In milliseconds since 1970. */
  at: number;
  freeMb: number;
}

/** One an hour; a shorter span than a day says more about backups and starts than about growth. */
export const sampleEveryMs = hourMs;
export const samplesKeptMs = 7 * dayMs;
const leastSpanMs = dayMs;
/** More says nothing: a fleet changes in a year. */
export const mostDays = 365;

/**
 * Days until only `floorMb` are left, by the straight line through the samples of the last week. 0 if that is reached already; `mostDays`
 * if it does not shrink, or is not known for a day yet.
 */
export function daysLeft(samples: readonly CapacitySample[], freeMb: number, floorMb: number): number {
  if (freeMb <= floorMb) return 0;
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < leastSpanMs) return mostDays;
  const mean = (of: (sample: CapacitySample) => number): number => samples.reduce((sum, each) => sum + of(each), 0) / samples.length;
  const [at, free] = [mean((each) => each.at), mean((each) => each.freeMb)];
  const covariance = mean((each) => (each.at - at) * (each.freeMb - free));
  const variance = mean((each) => (each.at - at) ** 2);
  const mbPerDay = (covariance / variance) * dayMs;
  return mbPerDay >= 0 ? mostDays : Math.min(mostDays, (freeMb - floorMb) / -mbPerDay);
}
