import { expect, test } from "vitest";
import { after, hourMs, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { isNightlyDue, nextNightlyAt, nextNightlyCheck, nightlyMinute } from "./nightly-schedule.ts";

const accountId = "0199a000-0000-7000-8000-000000000001";
const minute = nightlyMinute(accountId);
/** Midnight in Berlin, in winter. */
const midnight = new Date("2026-01-14T23:00:00Z");
const isDue = (now: Date, sinceHours: number, timezone = "Europe/Berlin") =>
  isNightlyDue({ accountId, timezone, lastAt: after(now, -sinceHours * hourMs) }, now);

test("a workspace is backed up during its local night, at its account's minute or soon after", () => {
  expect(isDue(after(midnight, (minute - 1) * minuteMs), 24)).toBe(false);
  expect(isDue(after(midnight, minute * minuteMs), 24)).toBe(true);
  expect(isDue(after(midnight, 359 * minuteMs), 24)).toBe(true);
  expect(isDue(after(midnight, 361 * minuteMs), 24)).toBe(false);
  expect(isDue(after(midnight, minute * minuteMs), 24, "America/New_York")).toBe(false);
});

test("a workspace has one backup a night, and a missed night is made up for", () => {
  expect(isDue(after(midnight, 359 * minuteMs), 17)).toBe(false);
  expect(isDue(after(midnight, 12 * hourMs), 29)).toBe(false);
  expect(isDue(after(midnight, 12 * hourMs), 30)).toBe(true);
});

test("a workspace is left alone until its backup may be due, and a handful of checks a day find it on time", () => {
  for (const timezone of ["Europe/Berlin", "America/New_York", "Asia/Kolkata"]) {
    let [now, lastAt] = [midnight, after(midnight, -5 * hourMs)];
    let checks = 0;
    const lefts: number[] = [];
    for (; lefts.length < 7; checks += 1) {
      const candidate = { accountId, timezone, lastAt };
      if (isNightlyDue(candidate, now)) {
        lefts.push(now.getTime() - lastAt.getTime());
        lastAt = now;
      }
      now = nextNightlyCheck({ ...candidate, lastAt }, now);
    }
    // After the first few, which find the local night, once a day to the minute.
    expect(lefts.slice(-3)).toEqual([24 * hourMs, 24 * hourMs, 24 * hourMs]);
    expect(checks).toBeLessThan(28);
  }
});

test("the next nightly backup is announced for the minute at which it will be due", () => {
  const turn = { accountId, timezone: "Europe/Berlin", nightlyAt: midnight };
  const [tonight, tomorrow] = [after(midnight, minute * minuteMs), after(midnight, minute * minuteMs + 24 * hourMs)];
  const afternoon = after(midnight, -9 * hourMs);
  // Had one the night before; has just had one; was created in the evening, so that this night comes too soon.
  expect(nextNightlyAt({ ...turn, lastAt: after(tonight, -24 * hourMs) }, afternoon)).toEqual(tonight);
  expect(nextNightlyAt({ ...turn, lastAt: tonight }, after(tonight, minuteMs))).toEqual(tomorrow);
  expect(nextNightlyAt({ ...turn, lastAt: after(tonight, -2 * hourMs) }, after(tonight, -hourMs))).toEqual(tomorrow);
  // The night was missed: now, or when the worker looks again after a try that could not begin.
  const noon = after(midnight, 12 * hourMs);
  expect(nextNightlyAt({ ...turn, lastAt: after(noon, -40 * hourMs) }, noon)).toEqual(noon);
  expect(nextNightlyAt({ ...turn, lastAt: after(noon, -40 * hourMs), nightlyAt: after(noon, hourMs) }, noon)).toEqual(after(noon, hourMs));
});

test("a fleet's backups are spread over the night", () => {
  const minutes = Array.from({ length: 6_000 }, () => nightlyMinute(newId()));
  const perHour = [0, 1, 2, 3, 4, 5].map((hour) => minutes.filter((each) => Math.floor(each / 60) === hour).length);
  for (const count of perHour) expect(Math.abs(count - 1_000)).toBeLessThan(200);
});
