/** Answers that must not tell by their delay what was found. */
import { expect } from "vitest";

/** What platform/http/same-time.ts makes every such answer wait, less what timers are early by. */
const leastMs = 145;
/** A busy machine is late with some of them. */
const lateMs = 1_000;

/** Each took as long as they all must, and none much longer than another. */
export function expectSameTime(timesMs: readonly number[]): void {
  expect(Math.min(...timesMs)).toBeGreaterThanOrEqual(leastMs);
  expect(Math.max(...timesMs) - Math.min(...timesMs)).toBeLessThan(lateMs);
}
