import { expect, test } from "vitest";
import { actions, planRound, victims } from "./plan-round.ts";
import { quantile } from "./report.ts";

const rounds = (seed: number, from: number, count: number) => Array.from({ length: count }, (_, index) => planRound(seed, from + index));

test("the same seed and number give the same round, another seed another one", () => {
  expect(rounds(7, 0, 50)).toEqual(rounds(7, 0, 50));
  expect(rounds(7, 20, 5)).toEqual(rounds(7, 0, 50).slice(20, 25));
  expect(rounds(8, 0, 50)).not.toEqual(rounds(7, 0, 50));
});

test("of every 77 rounds, each action meets each victim first, once", () => {
  const all = actions.length * victims.length;
  expect(all).toBe(77);
  const pairs = actions.flatMap((action) => victims.map((victim) => `${action} ${victim}`)).toSorted();
  for (const from of [0, all, 15 * all])
    expect(
      rounds(3, from, all)
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
