import { expect, test } from "vitest";
import { deviceOf, momentOf, usedText } from "./session-text.ts";

const lastSeenAt = "2026-11-21T12:00:00.000Z";
const seen = Date.parse(lastSeenAt);

test("the time of last use is shown to the hour, as it is recorded", () => {
  expect(usedText({ isCurrent: true, lastSeenAt }, seen + 59 * 60_000)).toBe("In use now");
  expect(usedText({ isCurrent: false, lastSeenAt }, seen + 60 * 60_000)).toBe("Last used in the past hour");
  expect(usedText({ isCurrent: false, lastSeenAt }, seen + 66 * 60_000)).toBe(`Last used on ${momentOf(lastSeenAt)}`);
});

test("an unknown browser has a name too", () => {
  expect([deviceOf({ device: null }), deviceOf({ device: "Firefox on Linux" })]).toEqual([
    "Unknown browser or program",
    "Firefox on Linux",
  ]);
});
