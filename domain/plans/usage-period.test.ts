import { expect, test } from "vitest";
import { addMonths } from "#platform/calendar.ts";
import { periodStarts } from "./usage-period.ts";

const iso = (dates: Date[]) => dates.map((date) => date.toISOString());
const at = (text: string) => new Date(text);

test("a period begins each month on the day and at the time of the subscription", () => {
  const starts = periodStarts({ startedAt: at("2026-01-21T10:30:00Z"), isTrial: false, unpaidFrom: null }, at("2026-03-21T10:29:59Z"));
  expect(iso(starts).slice(0, 3)).toEqual(["2026-02-21T10:30:00.000Z", "2026-03-21T10:30:00.000Z", "2026-04-21T10:30:00.000Z"]);
  expect(
    iso(periodStarts({ startedAt: at("2026-01-21T10:30:00Z"), isTrial: false, unpaidFrom: null }, at("2026-03-21T10:30:00Z")))[0],
  ).toBe("2026-03-21T10:30:00.000Z");
});

test("a month without that day uses its last one, and the next month the day again", () => {
  const start = at("2027-10-31T00:00:00Z");
  expect(iso([1, 2, 3, 4, 5].map((months) => addMonths(start, months))).map((text) => text.slice(0, 10))).toEqual([
    "2027-11-30",
    "2027-12-31",
    "2028-01-31",
    "2028-02-29",
    "2028-03-31",
  ]);
});

test("a trial is one period from its first day to its last", () => {
  const startedAt = at("2026-01-21T10:30:00Z");
  expect(periodStarts({ startedAt, isTrial: true, unpaidFrom: null }, at("2026-05-01T00:00:00Z"))).toEqual([startedAt]);
});

test("a clock behind the start is in the first period", () => {
  const startedAt = at("2026-01-21T10:30:00Z");
  expect(periodStarts({ startedAt, isTrial: false, unpaidFrom: null }, at("2026-01-21T10:29:00Z"))[0]).toEqual(startedAt);
});
