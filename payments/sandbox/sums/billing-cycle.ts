/** When periods begin and end. Counted from one anchor in UTC, so that a short month does not shorten those after it. */
import { addMonths } from "#platform/calendar.ts";

export interface Cycle {
  unit: "day" | "month" | "yr";
  count: number;
}

/** The moment `periods` cycles after the anchor: 31 January and one month is 28 (or 29) February, and two months 31 March. */
export function cycleBoundary(anchor: Date, cycle: Cycle, periods: number): Date {
  const count = cycle.count * periods;
  if (cycle.unit === "day") return new Date(anchor.getTime() + count * 86_400_000);
  return addMonths(anchor, cycle.unit === "month" ? count : count * 12);
}

export const isSameCycle = (one: Cycle, other: Cycle): boolean => one.unit === other.unit && one.count === other.count;

/** Money is counted to the second; what is smaller would only make two looks at one price differ. */
export const toSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000);
