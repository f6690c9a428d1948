import { expect, test } from "vitest";
import { linkWaitsSeconds } from "#contract/accounts/account.ts";
import { secondMs } from "#platform/clock.ts";
import { attemptPolicies } from "./attempt-policy.ts";

test("the panel offers no further mail before the service would send it", () => {
  const { free, firstPauseMs, longestPauseMs } = attemptPolicies["mail-recipient"];
  linkWaitsSeconds.forEach((seconds, index) => {
    const extra = index + 1 - free;
    const pauseMs = extra < 0 ? 0 : Math.min(firstPauseMs * 2 ** extra, longestPauseMs);
    expect(seconds * secondMs, `after mail ${index + 1}`).toBeGreaterThanOrEqual(pauseMs);
  });
  expect(linkWaitsSeconds.at(-1)! * secondMs).toBe(longestPauseMs);
});
