import { expect, test } from "vitest";
import { secondsLeft } from "./countdown.ts";

test.each([
  [60_000, 0, 60],
  [60_000, 1, 60],
  [60_000, 1_000, 59],
  [60_000, 59_001, 1],
  [60_000, 60_000, 0],
  [60_000, 3_600_000, 0],
  [0, 0, 0],
])("until %d ms, %d ms are %d seconds left", (untilMs, nowMs, left) => expect(secondsLeft(untilMs, nowMs)).toBe(left));
