import { expect, onTestFinished, test } from "vitest";
import { minuteMs } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import type { LoadSample } from "#domain/workspaces/observed/load-store.ts";
import { createSampleChoice } from "./choose-samples.ts";
import { sampleMemory, type SamplingOptions } from "./sample-memory.ts";

const using = (memoryMb: number, more: Partial<LoadSample> = {}): LoadSample => ({ memoryMb, cpuPercent: null, diskMb: null, ...more });

/** Saves what is chosen of one workspace's values, a minute apart; null: it does not run. */
function sample(values: readonly (number | null)[]): [minute: number, mb: number][] {
  const { choose } = createSampleChoice();
  return values.flatMap((mb, minute) =>
    choose({ at: new Date(minute * minuteMs), load: new Map(mb === null ? [] : [["a", using(mb)]]) }).map((each): [number, number] => [
      each.at.getTime() / minuteMs,
      each.load.get("a")!.memoryMb,
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

test("a workspace that was stopped starts from the beginning", () => {
  expect(sample([300, 300, null, 300])).toEqual([
    [0, 300],
    [3, 300],
  ]);
});

test("processor and disk get rows for their own changes", () => {
  const { choose } = createSampleChoice();
  const samples = [
    { cpuPercent: null, diskMb: 40 },
    { cpuPercent: 2, diskMb: 40 },
    { cpuPercent: 9, diskMb: 50 },
    { cpuPercent: 95, diskMb: 50 },
    { cpuPercent: 99, diskMb: 90 },
  ];
  const saved = samples.map(
    (more, minute) =>
      choose({ at: new Date(minute * minuteMs), load: new Map([["a", using(300, more)]]) }).flatMap((each) => [...each.load.values()])
        .length,
  );
  // With the first change after a pause, the value before it.
  expect(saved).toEqual([1, 1, 0, 2, 1]);
});

test("of a quiet fleet, a ninth of the measurements is saved", () => {
  const { choose } = createSampleChoice();
  const load = new Map(Array.from({ length: 1_000 }, (_unused, n) => [`w${n}`, using(300, { cpuPercent: 2, diskMb: 40 })]));
  let rows = 0;
  for (let minute = 0; minute <= 60; minute += 1)
    rows += choose({ at: new Date(minute * minuteMs), load }).reduce((sum, each) => sum + each.load.size, 0);
  expect(rows).toBe(7_000);
});

test("values that could not be saved do not count as saved", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const db = Object.create(database.db, { execute: { value: () => Promise.reject(new Error("no database")) } }) as typeof database.db;
  const driver = { usage: async () => new Map([["a", { memoryMb: 300 }]]) } as unknown as SamplingOptions["driver"];
  const choice = createSampleChoice();
  const clock = { now: () => new Date(0) };
  await expect(sampleMemory({ db, driver, clock, log: createLog("silent") }, choice)).rejects.toThrow("no database");
  expect(choice.choose({ at: new Date(minuteMs), load: new Map([["a", using(300)]]) })).toHaveLength(1);
});
