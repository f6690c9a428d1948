import { expect, test } from "vitest";
import { isInMaintenanceWindow } from "./maintenance-window.ts";

test.each([
  ["at its first minute", "sunday", 3, "Europe/Berlin", "2026-11-22T02:00:00Z", true],
  ["in its last hour", "sunday", 3, "Europe/Berlin", "2026-11-22T05:59:00Z", true],
  ["when it has closed", "sunday", 3, "Europe/Berlin", "2026-11-22T06:00:00Z", false],
  ["before it opens", "sunday", 3, "Europe/Berlin", "2026-11-22T01:59:00Z", false],
  ["on another day", "sunday", 3, "Europe/Berlin", "2026-11-23T03:00:00Z", false],
  ["on any day", "any", 3, "Europe/Berlin", "2026-11-23T03:00:00Z", true],
  ["after midnight, having begun before it", "saturday", 23, "Etc/UTC", "2026-11-22T01:30:00Z", true],
  ["on the day on which the clocks skip its hour", "sunday", 2, "Europe/Berlin", "2027-03-28T01:00:00Z", true],
  ["on such a day, before the clocks jump", "sunday", 2, "Europe/Berlin", "2027-03-28T00:59:00Z", false],
  ["on a day that begins at one", "friday", 0, "Africa/Cairo", "2027-04-29T22:00:00Z", true],
  ["where half an hour separates the timezones", "any", 12, "Asia/Kolkata", "2026-11-22T06:30:00Z", true],
] as const)("the window is judged by the workspace's own clock: %s", (_title, weekday, startHour, timezone, now, isOpen) => {
  expect(isInMaintenanceWindow({ weekday, startHour }, timezone, new Date(now))).toBe(isOpen);
});
