import { expect, test } from "vitest";
import { deviceOf, openedText, usedText } from "./session-text.ts";

const lastSeenAt = "2026-11-21T12:00:00.000Z";
const seen = Date.parse(lastSeenAt);

test("the time of last use is shown to the hour, as it is recorded", () => {
  expect(usedText({ isCurrent: true, lastSeenAt }, seen + 59 * 60_000)).toBe("In use now");
  expect(usedText({ isCurrent: false, lastSeenAt }, seen + 60 * 60_000)).toBe("Last used in the past hour");
  expect(usedText({ isCurrent: false, lastSeenAt }, seen + 66 * 60_000)).toBe("Last used 1 hour ago");
  expect(usedText({ isCurrent: false, lastSeenAt }, seen + 13 * 24 * 60 * 60_000)).toBe("Last used 13 days ago");
});

test("a session says how and how long ago it was opened", () => {
  const opened = (openedBy: "password" | "magic-link", minutes: number) =>
    openedText({ openedBy, signedInAt: lastSeenAt }, seen + minutes * 60_000);
  expect([opened("password", 0.5), opened("password", 5), opened("magic-link", 3 * 24 * 60)]).toEqual([
    "Signed in just now with the password",
    "Signed in 5 minutes ago with the password",
    "Signed in 3 days ago with an emailed link",
  ]);
});

test("an unknown browser has a name too", () => {
  expect([deviceOf({ device: null }), deviceOf({ device: "Firefox on Linux" }), deviceOf({ device: "Safari" })]).toEqual([
    "Unknown browser or program",
    "Firefox on Linux",
    "Safari",
  ]);
});
