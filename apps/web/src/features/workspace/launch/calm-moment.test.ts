import { expect, test } from "vitest";
import { calmMs, isStillCalm, type LaunchMoment } from "./calm-moment.ts";

/** What a page shows at each of these moments in turn. */
function shown(...moments: Partial<LaunchMoment>[]): ("calm" | "steps")[] {
  let isCalm = true;
  return moments.map((moment) => {
    isCalm = isStillCalm(isCalm, { sinceMs: 0, isReady: false, hasTrouble: false, ...moment });
    return isCalm ? "calm" : "steps";
  });
}

test("a launch that is online within two seconds never shows its steps", () => {
  expect(shown({}, { sinceMs: 900 }, { sinceMs: 1_200, isReady: true }, { sinceMs: 60_000, isReady: true })).toEqual(Array(4).fill("calm"));
});

test("a longer launch shows its steps after two seconds, and keeps them once it is online", () => {
  expect(shown({}, { sinceMs: calmMs - 1 }, { sinceMs: calmMs }, { sinceMs: 5_000, isReady: true })).toEqual([
    "calm",
    "calm",
    "steps",
    "steps",
  ]);
});

test("trouble is shown immediately, with the steps", () => {
  expect(shown({}, { sinceMs: 300, hasTrouble: true }, { sinceMs: 400 })).toEqual(["calm", "steps", "steps"]);
});
