import { expect, test } from "vitest";
import { daysLeft } from "./trial.ts";

const now = Date.parse("2026-11-21T12:00:00Z");

test.each([
  ["2026-12-05T12:00:00Z", 14],
  ["2026-12-05T12:00:01Z", 15],
  ["2026-11-22T11:59:59Z", 1],
  ["2026-11-21T12:00:00Z", 0],
  ["2026-11-01T00:00:00Z", 0],
])("until %s there are %d days left", (until, days) => expect(daysLeft(until, now)).toBe(days));

test("without an end there are -1 days left", () => {
  expect(daysLeft(null, now)).toBe(-1);
  expect(daysLeft(undefined, now)).toBe(-1);
});
