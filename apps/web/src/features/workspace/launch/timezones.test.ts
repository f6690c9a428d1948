import { expect, test } from "vitest";
import { timezone } from "#contract/api/fields.ts";
import { guessTimezone, listTimezones, matchesTimezone, timeIn, timezoneOffset } from "./timezones.ts";

test("the list has the default and nothing the API would refuse", () => {
  const list = listTimezones();
  expect(list).toContain("Etc/UTC");
  expect(list.filter((name) => !timezone.safeParse(name).success)).toEqual([]);
});

test("a browser in an unknown timezone gets the default", () => expect(guessTimezone([])).toBe("Etc/UTC"));

test.each([
  ["America/New_York", "new york", true],
  ["America/New_York", "york america", true],
  ["America/New_York", "NEW_YORK", true],
  ["America/New_York", "", true],
  ["Europe/Berlin", "new york", false],
])("%s matches %j: %s", (name, query, matches) => expect(matchesTimezone(name, query)).toBe(matches));

test("a timezone that this browser does not know has no offset and no time", () => {
  expect(timezoneOffset("Mars/Olympus_Mons", new Date())).toBe("");
  expect(timeIn("Mars/Olympus_Mons", new Date())).toBeNull();
});

test("offset and time follow the season", () => {
  expect(timezoneOffset("Europe/Berlin", new Date("2026-01-10T12:00:00Z"))).toBe("GMT+1");
  expect(timezoneOffset("Europe/Berlin", new Date("2026-07-10T12:00:00Z"))).toBe("GMT+2");
  expect(timeIn("Europe/Berlin", new Date("2026-07-10T12:00:00Z"))).toBe("Friday 14:00");
});
