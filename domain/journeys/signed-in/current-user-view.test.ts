import { expect, test } from "vitest";
import { n8nAlone } from "#contract/billing/plans/delivered-features.ts";
import type { CurrentUser } from "./current-user-query.ts";
import { currentUserView } from "./current-user-view.ts";

type Held = NonNullable<CurrentUser["subscription"]>;

const user = (subscription: Partial<Held> | null) =>
  ({
    userId: "1",
    accountId: "2",
    accountName: "acme",
    email: "ada@example.com",
    fullName: "Ada",
    confirmedAt: new Date(),
    setUpAt: new Date(),
    onboardingSteps: {},
    isFirstDay: true,
    firstDays: {},
    suspendedAt: null,
    suspendedUntil: null,
    suspensionReason: null,
    closedAt: null,
    closingReason: null,
    eraseAt: null,
    templateId: null,
    workspace: null,
    planSpec: null,
    lastBackup: null,
    subscription: subscription && {
      planId: "pro-1-monthly",
      specId: "pro-1",
      provider: "sandbox",
      startedAt: new Date("2026-11-21T09:00:00Z"),
      customExecutions: null,
      customWorkflows: null,
      periodEndsAt: null,
      cancelAt: null,
      taxInclusive: true,
      ...subscription,
    },
  }) as unknown as CurrentUser;
const viewOf = (subscription: Partial<Held> | null) =>
  currentUserView(user(subscription), { publicUrl: "https://app.example.com", delivery: n8nAlone }).account;

/** Only outside a trial and while the subscription is not canceled. */
test.each([
  ["active", true, true],
  ["past_due", true, true],
  ["paused", true, true],
  ["active", false, false],
  ["trialing", true, false],
  ["deleted", true, false],
] as const)("prices of a subscription that is %s, tax included: %s, are shown with tax: %s", (status, taxInclusive, expected) => {
  expect(viewOf({ status, taxInclusive }).taxInclusive).toBe(expected);
});

test("without a subscription there is neither tax nor billing", () => {
  expect(viewOf(null)).toMatchObject({ taxInclusive: false, billing: null, planSpec: null });
});

test("a trial without a card has no billing yet; a subscription's free days at the provider are billing that is trialing", () => {
  expect(viewOf({ status: "trialing", provider: null, planId: "trial-1", specId: "trial-1" }).billing).toBeNull();
  expect(viewOf({ status: "trialing" }).billing).toMatchObject({ status: "trialing", planId: "pro-1-monthly" });
});

test("paying customers get the link to update billing, also for a plan that an operator arranged", () => {
  expect(viewOf({ status: "active", provider: null }).billing).toMatchObject({ status: "active", isArranged: true });
  expect(viewOf({ status: "past_due" }).billing).toEqual({
    status: "past_due",
    planId: "pro-1-monthly",
    updateUrl: "https://app.example.com/manage/billing",
    cancelAt: null,
    isArranged: false,
  });
});

test("a trial that ended was never paid: there is nothing to resubscribe to, and no billing", () => {
  expect(viewOf({ status: "deleted", provider: null, planId: "trial-1", specId: "trial-1" }).billing).toBeNull();
  expect(viewOf({ status: "deleted" }).billing).toMatchObject({ status: "deleted" });
});

test("a trial shows its total length, also after an extension", () => {
  const withSpec = (days: number) =>
    currentUserView(
      {
        ...user({ status: "trialing", provider: null, periodEndsAt: new Date(Date.UTC(2026, 10, 21 + days, 9)) }),
        planSpec: { metadata: { group: "trial" }, enabledFeatures: [] },
      } as unknown as CurrentUser,
      { publicUrl: "https://app.example.com", delivery: n8nAlone },
    ).account.planSpec;
  expect(withSpec(14)?.trialDays).toBe(14);
  expect(withSpec(44)?.trialDays).toBe(44);
});

test("after a cancellation, the end of service is shown", () => {
  const cancelAt = new Date("2026-12-24T09:00:00Z");
  expect(viewOf({ status: "active", cancelAt }).billing).toMatchObject({ status: "active", cancelAt: "2026-12-24T09:00:00.000Z" });
});
