import { expect, onTestFinished, test } from "vitest";
import { minuteMs } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { createSampleChoice } from "./choose-samples.ts";
import { sampleMemory, type SamplingOptions } from "./sample-memory.ts";

/** Saves what is chosen of one workspace's values, a minute apart; null: it does not run. */
function sample(values: readonly (number | null)[]): [minute: number, mb: number][] {
  const { choose } = createSampleChoice();
  return values.flatMap((mb, minute) =>
    choose({ at: new Date(minute * minuteMs), memoryMb: new Map(mb === null ? [] : [["a", mb]]) }).map((each): [number, number] => [
      each.at.getTime() / minuteMs,
      each.memoryMb.get("a")!,
    ]),
  );
}

test("memory that stays the same has a row when it starts and then every ten minutes", () => {
  const values = Array.from({ length: 31 }, (_unused, minute) => 300 + (minute % 3));
  expect(sample(values)).toEqual([
    [0, 300],
    [10, 301],
    [20, 302],
    [30, 300],
  ]);
});

test("a change is saved at its minute, with the value before it", () => {
  expect(sample([300, 301, 302, 500, 501, 250])).toEqual([
    [0, 300],
    [2, 302],
    [3, 500],
    [4, 501],
    [5, 250],
  ]);
});

test("small steps add up to a change", () => {
  expect(sample([300, 306, 312, 318])).toEqual([
    [0, 300],
    [2, 312],
    [3, 318],
  ]);
});

test("a workspace that was stopped begins anew", () => {
  expect(sample([300, 300, null, 300])).toEqual([
    [0, 300],
    [3, 300],
  ]);
});

test("of a quiet fleet, a ninth of the measurements is saved", () => {
  const { choose } = createSampleChoice();
  const memoryMb = new Map(Array.from({ length: 1_000 }, (_unused, n) => [`w${n}`, 300]));
  let rows = 0;
  for (let minute = 0; minute <= 60; minute += 1)
    rows += choose({ at: new Date(minute * minuteMs), memoryMb }).reduce((sum, each) => sum + each.memoryMb.size, 0);
  expect(rows).toBe(7_000);
});

test("what could not be saved is not taken as saved", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const db = Object.create(database.db, { execute: { value: () => Promise.reject(new Error("no database")) } }) as typeof database.db;
  const driver = { usage: async () => new Map([["a", { memoryMb: 300 }]]) } as unknown as SamplingOptions["driver"];
  const choice = createSampleChoice();
  const clock = { now: () => new Date(0) };
  await expect(sampleMemory({ db, driver, clock, log: createLog("silent") }, choice)).rejects.toThrow("no database");
  expect(choice.choose({ at: new Date(minuteMs), memoryMb: new Map([["a", 300]]) })).toHaveLength(1);
});
