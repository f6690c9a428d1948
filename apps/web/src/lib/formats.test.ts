import { afterEach, expect, test } from "vitest";
import { dateFormat, displayTimezone, knownTimezone } from "./formats.ts";

afterEach(() => displayTimezone.set(undefined));

test("times are shown in the chosen timezone, and in the browser's if it does not know the chosen one", () => {
  const hour = dateFormat({ hour: "2-digit", hourCycle: "h23" });
  const noon = new Date("2026-11-23T12:00:00Z");
  const own = hour.format(noon);
  displayTimezone.set(knownTimezone("Asia/Tokyo"));
  expect(hour.format(noon)).toBe("21");
  displayTimezone.set(knownTimezone("America/Not_Yet"));
  expect(hour.format(noon)).toBe(own);
  expect(knownTimezone(null)).toBeUndefined();
});
