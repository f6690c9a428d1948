import { expect, test } from "vitest";
import { nextStep, type NextStepFacts } from "./next-step.ts";

const well: NextStepFacts = { state: { kind: "ready" }, billingStatus: "active", others: 2 };

test.each<[title: string, facts: Partial<NextStepFacts>, name: string | null]>([
  ["all is well", {}, null],
  ["there are no other members", { others: 0 }, "invite"],
  ["the members are not known yet", { others: undefined }, null],
  ["the trial has long to go", { state: { kind: "trial", daysLeft: 12 }, billingStatus: null }, null],
  [
    "much of the trial is left and there are no other members",
    { state: { kind: "trial", daysLeft: 12 }, billingStatus: null, others: 0 },
    "invite",
  ],
  ["the trial ends soon", { state: { kind: "trial", daysLeft: 5 }, billingStatus: null, others: 0 }, "trialEnds"],
  ["a payment failed", { billingStatus: "past_due", others: 0 }, "payment"],
  ["payments failed for good", { state: { kind: "paused", daysLeft: 30 }, billingStatus: "paused" }, "resubscribe"],
  ["it was cancelled", { state: { kind: "expiring", daysLeft: 3, until: null }, billingStatus: "deleted" }, "resubscribe"],
  ["it will be deleted", { state: { kind: "scheduled-for-deletion", daysLeft: 3 }, billingStatus: null }, "choosePlan"],
  ["it was deleted, and another is allowed", { state: { kind: "none", canCreate: true } }, "newWorkspace"],
  ["it was deleted, and none is allowed", { state: { kind: "none", canCreate: false } }, "choosePlan"],
  ["it is not well, which is not the owner's to do", { state: { kind: "offline", cause: null }, others: 0 }, null],
])("%s", (_title, facts, name) => {
  expect(nextStep({ ...well, ...facts })?.name ?? null).toBe(name);
});
