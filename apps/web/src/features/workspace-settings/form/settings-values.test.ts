import { expect, test } from "vitest";
import { buildInstance } from "#testing/accounts/build-instance.ts";
import { settingsSchema } from "./settings-rules.ts";
import { changedSettings, needsRestart, rebase, valuesOf } from "./settings-values.ts";

const set = valuesOf(buildInstance());
const changed = (changes: Partial<typeof set>, configuration: Partial<(typeof set)["configuration"]> = {}) => ({
  ...set,
  ...changes,
  configuration: { ...set.configuration, ...configuration },
});

test("each difference is named, that of a window by day and hour", () => {
  expect(changedSettings(set, valuesOf(buildInstance()))).toEqual([]);
  expect(changedSettings(set, changed({ timezone: "Asia/Tokyo" }, { autoUpdate: true }))).toEqual(["timezone", "autoUpdate"]);
  expect(changedSettings(set, changed({}, { maintenanceWindow: { weekday: "sunday", startHour: 4 } }))).toEqual(["maintenanceWindow"]);
});

test("only settings read at start need a restart", () => {
  expect((["timezone", "versionName", "executionsToKeep"] as const).map((name) => needsRestart([name]))).toEqual([true, true, true]);
  expect(needsRestart(["channel", "autoUpdate", "maintenanceWindow"])).toBe(false);
});

test("another tab's changes and those entered here are merged; where both changed the same field, the entered value stays", () => {
  const mine = changed({ timezone: "Asia/Tokyo" }, { executionsToKeep: 500 });
  const theirs = changed({ timezone: "Europe/Berlin", versionName: "2.41.0" }, { autoUpdate: true });
  expect(rebase(set, mine, theirs)).toEqual(
    changed({ timezone: "Asia/Tokyo", versionName: "2.41.0" }, { executionsToKeep: 500, autoUpdate: true }),
  );
});

const plan = (executionsKept: number) => ({ monthlyExecutionsLimit: -1, ...(executionsKept === -1 ? {} : { executionsKept }) });

test.each([
  [1000, 1000, []],
  [1000, 1001, ["executions.over_plan"]],
  [100_000, 100_000, []],
  [100_000, 100_001, ["executions.too_many"]],
  [-1, 10_000, []],
  [-1, 10_001, ["executions.over_plan"]],
  [-1, 99, ["executions.too_few"]],
  [-1, Number.NaN, ["executions.invalid"]],
  [-1, 500.5, ["executions.invalid"]],
])(
  "for a plan that keeps %d executions (-1: it does not say), the form judges %d kept executions as the API does",
  (limit, executionsToKeep, codes) => {
    const result = settingsSchema(plan(limit)).safeParse(changed({}, { executionsToKeep }));
    expect(result.error?.issues.map(({ message }) => message) ?? []).toEqual(codes);
  },
);

test("a timezone that only the service knows does not prevent other settings from being saved", () =>
  expect(settingsSchema(null).safeParse(changed({ timezone: "Mars/Olympus_Mons" })).success).toBe(true));
