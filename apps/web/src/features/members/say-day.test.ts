import { afterEach, expect, test } from "vitest";
import { displayTimezone } from "../../lib/formats.ts";
import { spokenLanguage } from "../../words/spoken.ts";
import { sayDay } from "./say-day.ts";

const now = Date.parse("2026-11-23T12:00:00Z");

afterEach(() => {
  spokenLanguage.set("en");
  displayTimezone.set(undefined);
});

test("days of the last week are told by their distance, earlier and later ones by their date", () => {
  const days = ["2026-11-25", "2026-11-24", "2026-11-23", "2026-11-22", "2026-11-17", "2026-11-16"];
  expect(days.map((day) => sayDay(day, now))).toEqual(["Nov 25, 2026", "today", "today", "yesterday", "6 days ago", "Nov 16, 2026"]);
  spokenLanguage.set("de");
  expect(["2026-11-23", "2026-11-22", "2026-11-25"].map((day) => sayDay(day, now))).toEqual(["heute", "gestern", "25.11.2026"]);
});

test.each([
  ["America/Los_Angeles", "2026-11-24T04:00:00Z", ["today", "today", "yesterday"]],
  ["America/Los_Angeles", "2026-11-24T12:00:00Z", ["today", "yesterday", "2 days ago"]],
  ["Europe/Berlin", "2026-11-23T23:30:00Z", ["today", "today", "yesterday"]],
  ["Europe/Berlin", "2026-11-24T00:30:00Z", ["today", "yesterday", "2 days ago"]],
  ["Pacific/Kiritimati", "2026-11-23T11:00:00Z", ["today", "today", "yesterday"]],
])("in %s at %s, neither the reader's date nor a day that still lasts in UTC is said to be yesterday", (timezone, at, said) => {
  displayTimezone.set(timezone);
  expect(["2026-11-24", "2026-11-23", "2026-11-22"].map((day) => sayDay(day, Date.parse(at)))).toEqual(said);
});
