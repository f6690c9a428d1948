import { expect, test } from "vitest";
import { forecastExecutions, leftUsage, usageLevel } from "./forecast.ts";

const timeframe = { startsAt: "2026-11-01T00:00:00.000Z", endsAt: "2026-12-01T00:00:00.000Z" };
const at = (day: string) => Date.parse(`2026-${day}T00:00:00Z`);

test.each([
  ["half-way", 100, "11-16", 200],
  ["after a day", 10, "11-02", 300],
  ["on the first day, which says nothing yet", 10, "11-01", null],
  ["at the end, and after it", 250, "12-05", 250],
  ["without any", 0, "11-16", 0],
])("the pace so far: %s", (_name, executions, day, forecast) => {
  expect(forecastExecutions({ executions, timeframe }, at(day))).toBe(forecast);
});

test("without an end there is nothing to forecast", () => {
  expect(forecastExecutions({ executions: 10, timeframe: { ...timeframe, endsAt: null } }, at("11-16"))).toBeNull();
});

test.each([
  [79, 100, "fine"],
  [80, 100, "nearly"],
  [100, 100, "reached"],
  [120, 100, "reached"],
  [5, -1, "fine"],
  [4, 5, "nearly"],
  [0, 0, "reached"],
] as const)("%i of %i is %s", (used, limit, level) => {
  expect(usageLevel(used, limit)).toBe(level);
});

test.each([
  [100, 1000, 900],
  [1000, 1000, 0],
  [1200, 1000, 0],
  [100, -1, -1],
  [undefined, 1000, -1],
  [100, undefined, -1],
])("of %s used with a limit of %s, %d are left; -1 is unknown", (used, limit, left) => expect(leftUsage(used, limit)).toBe(left));
