import { expect, test } from "vitest";
import { mostTries, waitForBilling, waitSeconds } from "./wait-for-billing.ts";

test.each([
  [0, 0, 1],
  [0, 1, 3],
  [1, 0.5, 3.1],
  [5, 0, 6.5],
  [12, 0, 14.2],
  [12, 1, 15],
  [13, 0, 15],
  [14, 1, 15],
])("try %d with chance %d waits %d s", (attempt, random, seconds) => expect(waitSeconds(attempt, random)).toBeCloseTo(seconds));

test("no wait is longer than 15 s, whatever the chance", () => {
  for (let attempt = 0; attempt < mostTries; attempt += 1)
    for (const random of [0, 0.3, 0.999]) expect(waitSeconds(attempt, random)).toBeLessThanOrEqual(15);
});

const watch = (answers: (boolean | Error)[], signal = new AbortController().signal) => {
  const waits: number[] = [];
  let asked = 0;
  const isActive = async () => {
    const answer = answers[asked] ?? false;
    asked += 1;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const outcome = waitForBilling({ isActive, wait: async (ms) => void waits.push(ms), signal, random: () => 0 });
  return { outcome, waits, asked: () => asked };
};

test("the first active answer ends the wait", async () => {
  const run = watch([false, false, true]);
  expect(await run.outcome).toBe("active");
  expect(run.waits).toEqual([1_000, 2_100, 3_200]);
});

test("15 tries without an active answer end as still waiting", async () => {
  const run = watch([]);
  expect(await run.outcome).toBe("still-waiting");
  expect(run.asked()).toBe(15);
});

test("a failed try does not end the wait", async () => {
  expect(await watch([new Error("out of reach"), true]).outcome).toBe("active");
});

test("leaving the page ends the requests", async () => {
  const controller = new AbortController();
  controller.abort();
  const run = watch([true], controller.signal);
  expect(await run.outcome).toBe("stopped");
  expect(run.asked()).toBe(0);
});
