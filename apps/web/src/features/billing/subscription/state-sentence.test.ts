import { expect, test } from "vitest";
import { billingStatus } from "#contract/accounts/account.ts";
import type { Subscription } from "#contract/billing/billing.ts";
import { stateSentence } from "./state-sentence.ts";

const at = "2026-12-24T12:00:00.000Z";
const subscription: Subscription = {
  status: "active",
  planId: "pro-1-monthly",
  planName: "Pro",
  billingPeriod: { unit: "month", count: 1 },
  currency: "USD",
  quotas: null,
  periodEndsAt: at,
  cancelAt: null,
  changesCloseAt: null,
  isArranged: false,
  scheduledChange: null,
  retries: [],
  pausedAt: null,
  deletionAt: null,
  credit: null,
};

test.each<[Partial<Subscription>, string]>([
  [{}, "You are on Pro. It renews on December 24, 2026."],
  [{ periodEndsAt: null }, "You are on Pro."],
  [{ cancelAt: at }, "You are on Pro until December 24, 2026. It does not renew."],
  [{ scheduledChange: { planId: "starter-monthly", planName: "Starter", at } }, "You are on Pro until December 24, 2026, then on Starter."],
  [{ isArranged: true }, "You are on Pro, as agreed with us."],
  [{ isArranged: true, cancelAt: at }, "You are on Pro until December 24, 2026, as agreed with us."],
  [{ status: "trialing" }, "Your free trial runs until December 24, 2026."],
  [{ status: "past_due" }, "You are on Pro. The last payment is past due."],
  [{ status: "paused", deletionAt: at }, "Pro is on hold because its payments failed."],
  [{ status: "paused" }, "Pro is paused on request."],
  [{ status: "deleted" }, "You have no plan. Your last one was Pro."],
])("%j reads: %s", (changes, sentence) => expect(stateSentence({ ...subscription, ...changes })).toBe(sentence));

test("every status has a sentence", () => {
  for (const status of billingStatus.options)
    expect(stateSentence({ ...subscription, status, periodEndsAt: null }), status).toMatch(/^[A-Z].*\.$/);
});
