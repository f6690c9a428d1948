import { afterEach, expect, test } from "vitest";
import { spokenLanguage } from "../words/spoken.ts";
import { ago, daysAgo } from "./ago.ts";

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
