/** For answers whose delay must not reveal what was found. */
import { expect } from "vitest";

/** The delay that platform/http/same-time.ts gives every such answer, less the imprecision of timers. */
const leastMs = 145;
/** A busy machine delays some of them, but not in every round. */
const lateMs = 1_000;
const mostRounds = 5;

/** In each round of such answers, each took the required time; in one of them, none took much longer than another. */
export async function expectSameTime(measureRound: (round: number) => Promise<readonly number[]>): Promise<void> {
  const differences: number[] = [];
  do {
    const timesMs = await measureRound(differences.length);
    expect(Math.min(...timesMs)).toBeGreaterThanOrEqual(leastMs);
    differences.push(Math.max(...timesMs) - Math.min(...timesMs));
  } while (differences.at(-1)! >= lateMs && differences.length < mostRounds);
  expect(Math.min(...differences), differences.join(", ")).toBeLessThan(lateMs);
}
