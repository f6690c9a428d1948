import { afterEach, expect, test } from "vitest";
import { spokenLanguage } from "../words/spoken.ts";
import { ago, daysAgo, fromNow } from "./ago.ts";

const now = Date.parse("2026-11-23T12:00:00Z");
const before = (seconds: number) => ago(new Date(now - seconds * 1000), now);

afterEach(() => spokenLanguage.set("en"));

test("events of today are shown in minutes and hours, in the reader's language; older and future ones by their date", () => {
  expect([before(-30), before(59), before(60), before(59 * 60), before(3_600), before(86_399)]).toEqual([
    "now",
    "now",
    "1 minute ago",
    "59 minutes ago",
    "1 hour ago",
    "23 hours ago",
  ]);
  expect([before(86_400), before(-3_600)]).toEqual([null, null]);
  spokenLanguage.set("de");
  expect([before(0), before(240)]).toEqual(["jetzt", "vor 4 Minuten"]);
});

test("what lasts weeks is counted in days after the first, and is never in the future", () => {
  const days = (count: number) => daysAgo(new Date(now - count * 86_400_000), now);
  expect([days(-1), days(0.5), days(1), days(1.9), days(29)]).toEqual(["now", "12 hours ago", "1 day ago", "1 day ago", "29 days ago"]);
  spokenLanguage.set("de");
  expect(days(3)).toBe("vor 3 Tagen");
});

test("future times are shown in minutes, hours and, from two days on, days", () => {
  const inMinutes = (minutes: number) => fromNow(new Date(now + minutes * 60_000), now);
  expect([inMinutes(-5), inMinutes(0.2), inMinutes(1), inMinutes(59), inMinutes(60), inMinutes(47 * 60), inMinutes(72 * 60)]).toEqual([
    "now",
    "now",
    "in 1 minute",
    "in 59 minutes",
    "in 1 hour",
    "in 47 hours",
    "in 3 days",
  ]);
  spokenLanguage.set("de");
  expect(inMinutes(9 * 60)).toBe("in 9 Stunden");
});
