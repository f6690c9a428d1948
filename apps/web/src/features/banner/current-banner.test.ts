import { expect, test } from "vitest";
import { currentBanners, type Banner, type BillingStatus } from "./current-banner.ts";

const byBilling: readonly [BillingStatus | null, Banner | null][] = [
  [null, null],
  ["active", null],
  ["trialing", null],
  ["deleted", null],
  ["paused", "paused"],
  ["past_due", "pastDue"],
];

const everyCombination = byBilling.flatMap(([billingStatus, whenAllIsWell]) =>
  [true, false].flatMap((sessionExpired) =>
    [true, false].map((instanceOperations) => ({
      sessionExpired,
      instanceOperations,
      billingStatus,
      banners: sessionExpired
        ? ["sessionExpired"]
        : [...(instanceOperations ? [] : ["technicalIssues"]), ...(whenAllIsWell ? [whenAllIsWell] : [])],
    })),
  ),
);

test("a pause on request is not called a failed payment", () => {
  const facts = { sessionExpired: false, instanceOperations: true, billingStatus: "paused", isPauseRequested: true } as const;
  expect(currentBanners(facts)).toEqual(["pauseRequested"]);
});

test("a suspended account is not asked to pay", () => {
  const facts = { sessionExpired: false, instanceOperations: false, billingStatus: "past_due", isSuspended: true } as const;
  expect(currentBanners(facts)).toEqual(["suspended"]);
});

test("all 24 combinations are checked", () => expect(everyCombination).toHaveLength(24));

test.each(everyCombination)(
  "session expired: $sessionExpired, operations: $instanceOperations, billing: $billingStatus shows $banners",
  ({ banners, ...facts }) => expect(currentBanners(facts)).toEqual(banners),
);
