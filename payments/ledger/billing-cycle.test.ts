import { expect, test } from "vitest";
import { cycleBoundary, type Cycle } from "./billing-cycle.ts";

const day = (at: Date) => at.toISOString().slice(0, 10);
const month: Cycle = { unit: "month", count: 1 };
const year: Cycle = { unit: "yr", count: 1 };

test("a short month does not shorten later ones", () => {
  const anchor = new Date("2026-01-31T10:20:30Z");
  expect([0, 1, 2, 3, 4].map((periods) => day(cycleBoundary(anchor, month, periods)))).toEqual([
    "2026-01-31",
    "2026-02-28",
    "2026-03-31",
    "2026-04-30",
    "2026-05-31",
  ]);
  expect(cycleBoundary(anchor, month, 1).toISOString()).toBe("2026-02-28T10:20:30.000Z");
});

test("29 February returns in each leap year", () => {
  const anchor = new Date("2028-02-29T00:00:00Z");
  expect([1, 2, 3, 4].map((periods) => day(cycleBoundary(anchor, year, periods)))).toEqual([
    "2029-02-28",
    "2030-02-28",
    "2031-02-28",
    "2032-02-29",
  ]);
  expect(day(cycleBoundary(new Date("2028-01-30T00:00:00Z"), month, 1))).toBe("2028-02-29");
});

test("the machine's time zone and daylight saving time change nothing", () => {
  const anchor = new Date("2026-03-28T23:30:00Z");
  expect(cycleBoundary(anchor, month, 1).toISOString()).toBe("2026-04-28T23:30:00.000Z");
  expect(cycleBoundary(anchor, { unit: "day", count: 14 }, 1).toISOString()).toBe("2026-04-11T23:30:00.000Z");
});

test("December is followed by January", () => {
  expect(day(cycleBoundary(new Date("2026-12-31T12:00:00Z"), month, 1))).toBe("2027-01-31");
  expect(day(cycleBoundary(new Date("2026-12-31T12:00:00Z"), month, 14))).toBe("2028-02-29");
});
