/** For answers whose delay must not reveal what was found. */
import { expect } from "vitest";

/** The delay that platform/http/same-time.ts gives every such answer, less the imprecision of timers. */
const leastMs = 145;
/** A busy machine delays some of them. */
const lateMs = 1_000;

/** Each took the required time, and none took much longer than another. */
export function expectSameTime(timesMs: readonly number[]): void {
  expect(Math.min(...timesMs)).toBeGreaterThanOrEqual(leastMs);
  expect(Math.max(...timesMs) - Math.min(...timesMs)).toBeLessThan(lateMs);
}
