/** When periods begin and end, counted in UTC from one anchor, so that a short month does not shorten later ones. */
import { addMonths } from "#platform/calendar.ts";

export interface Cycle {
  unit: "day" | "month" | "yr";
  count: number;
}

/** The time `periods` cycles after the anchor: 31 January plus one month is 28 (or 29) February, plus two months 31 March. */
export function cycleBoundary(anchor: Date, cycle: Cycle, periods: number): Date {
  const count = cycle.count * periods;
  if (cycle.unit === "day") return new Date(anchor.getTime() + count * 86_400_000);
  return addMonths(anchor, cycle.unit === "month" ? count : count * 12);
}

export const isSameCycle = (one: Cycle, other: Cycle): boolean => one.unit === other.unit && one.count === other.count;

/** Money is calculated to the second; a finer resolution would only make two readings of one price differ. */
export const toSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000);
