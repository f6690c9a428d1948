import { expect, test } from "vitest";
import { periodEnd } from "./period-end.ts";

test.each([
  ["2026-11-22T10:00:00.000Z", { unit: "month", count: 1 }, "2026-12-22T10:00:00.000Z"],
  ["2027-01-31T10:00:00.000Z", { unit: "month", count: 1 }, "2027-02-28T10:00:00.000Z"],
  ["2028-02-29T10:00:00.000Z", { unit: "yr", count: 1 }, "2029-02-28T10:00:00.000Z"],
  ["2026-12-30T10:00:00.000Z", { unit: "day", count: 14 }, "2027-01-13T10:00:00.000Z"],
] as const)("what is paid on %s for %j is paid until %s", (from, period, until) => expect(periodEnd(Date.parse(from), period)).toBe(until));
