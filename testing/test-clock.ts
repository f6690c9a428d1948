/** A clock that only moves when a test moves it. */
import type { Clock } from "#platform/clock.ts";

export interface TestClock extends Clock {
  advance(ms: number): void;
}

/** Starts now, to the whole second, unless given another time. */
export function createTestClock(start = new Date(Math.floor(Date.now() / 1000) * 1000)): TestClock {
  let at = start.getTime();
  return { now: () => new Date(at), advance: (ms) => void (at += ms) };
}
