import { expect, test } from "vitest";
import { actions, planRound, victims, wakingActions } from "./plan-round.ts";
import { quantile } from "./report.ts";

const rounds = (seed: number, from: number, count: number, sleeps = false) =>
  Array.from({ length: count }, (_, index) => planRound(seed, from + index, sleeps));

test("the same seed and number give the same round, another seed another one", () => {
  expect(rounds(7, 0, 50)).toEqual(rounds(7, 0, 50));
  expect(rounds(7, 20, 5)).toEqual(rounds(7, 0, 50).slice(20, 25));
  expect(rounds(8, 0, 50)).not.toEqual(rounds(7, 0, 50));
});

test.each([
  [false, 77, wakingActions],
  [true, 110, actions],
] as const)("if workspaces sleep: %s, of every %i rounds each action meets each victim first, once", (sleeps, all, possible) => {
  expect(possible.length * victims.length).toBe(all);
  const pairs = possible.flatMap((action) => victims.map((victim) => `${action} ${victim}`)).toSorted();
  for (const from of [0, all, 15 * all])
    expect(
      rounds(3, from, all, sleeps)
        .map(({ action, faults }) => `${action} ${faults[0]!.victim}`)
        .toSorted(),
    ).toEqual(pairs);
});

test("rounds have one to three faults, at moments throughout the action", () => {
  const all = rounds(1, 0, 2_000);
  expect(new Set(all.map(({ faults }) => faults.length))).toEqual(new Set([1, 2, 3]));
  const first = all.filter(({ action }) => action === "update").map(({ faults }) => faults[0]!.afterMs);
  for (const second of [0, 1, 2, 3, 4, 5]) expect(first.filter((ms) => Math.floor(ms / 1_000) === second).length).toBeGreaterThan(10);
});

test("a quantile is one of the values", () => {
  expect([quantile([1, 2, 3, 4], 0.5), quantile([1, 2, 3, 4], 0.95), quantile([], 0.5)]).toEqual([3, 4, 0]);
});
