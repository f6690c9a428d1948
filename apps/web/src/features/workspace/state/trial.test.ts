import { expect, test } from "vitest";
import { daysLeft, trialShare } from "./trial.ts";

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

test.each([
  [14, 14, 1],
  [7, 14, 0.5],
  // Extended by 30 days on its 12th.
  [32, 44, 32 / 44],
  [0, 14, 0],
  [3, undefined, 1],
])("with %d days left of %s, the meter is filled to %d", (days, trialDays, share) =>
  expect(trialShare(days, trialDays)).toBeCloseTo(share),
);
