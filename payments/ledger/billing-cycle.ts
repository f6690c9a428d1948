/** When periods begin and end, counted in UTC from one anchor, so that a short month does not shorten later ones. */
import { addMonths } from "#platform/calendar.ts";
import { dayMs } from "#platform/clock.ts";

export interface Cycle {
  unit: "day" | "month" | "yr";
  count: number;
}

/** The time `periods` cycles after the anchor: 31 January plus one month is 28 (or 29) February, plus two months 31 March. */
export function cycleBoundary(anchor: Date, cycle: Cycle, periods: number): Date {
  const count = cycle.count * periods;
  if (cycle.unit === "day") return new Date(anchor.getTime() + count * dayMs);
  return addMonths(anchor, cycle.unit === "month" ? count : count * 12);
}

export const isSameCycle = (one: Cycle, other: Cycle): boolean => one.unit === other.unit && one.count === other.count;

/** Money is calculated to the second; a finer resolution would only make two readings of one price differ. */
export const toSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000);

/** The running period, and where it is counted from: it ends `periodNumber + 1` cycles after the anchor. */
export interface Period {
  anchorAt: Date;
  periodNumber: number;
  periodStartsAt: Date;
  periodEndsAt: Date;
}

/** A first period, from which later ones are counted. */
export const firstPeriod = (at: Date, cycle: Cycle): Period => ({
  anchorAt: at,
  periodNumber: 0,
  periodStartsAt: at,
  periodEndsAt: cycleBoundary(at, cycle, 1),
});

/** The period after this one, without a gap. A cycle that differs from the running one's, `before`, is counted from there. */
export function nextPeriod({ anchorAt, periodNumber, periodEndsAt: at }: Period, cycle: Cycle, before = cycle): Period {
  if (!isSameCycle(cycle, before)) return firstPeriod(at, cycle);
  const number = periodNumber + 1;
  return { anchorAt, periodNumber: number, periodStartsAt: at, periodEndsAt: cycleBoundary(anchorAt, cycle, number + 1) };
}

/** The share of a period from `at` to its end: `left` of `whole` seconds. */
export interface Share {
  left: number;
  whole: number;
}

export function restOf({ periodStartsAt, periodEndsAt }: Pick<Period, "periodStartsAt" | "periodEndsAt">, at: Date): Share {
  const secondsTo = (from: Date): number => Math.round((periodEndsAt.getTime() - from.getTime()) / 1000);
  const whole = secondsTo(periodStartsAt);
  return { left: Math.max(0, Math.min(whole, secondsTo(at))), whole };
}
