import { expect, test } from "vitest";
import { choicePath, readChoice } from "./plan-address.ts";

test.each([
  {},
  { planId: "pro-1-yearly", period: "yearly" as const, currency: "EUR" },
  { planId: "custom-monthly", quotas: { monthlyExecutions: 60_000, activeWorkflows: 50 } },
])("a choice comes back from its address: %j", (choice) => {
  expect(readChoice(new URL(choicePath(choice), "http://localhost").searchParams)).toEqual({
    planId: null,
    quotas: null,
    period: null,
    currency: null,
    ...choice,
  });
});

test("impossible values are ignored", () => {
  expect(readChoice(new URLSearchParams("period=weekly&currency=euro&executions=many&workflows=3"))).toEqual({
    planId: null,
    quotas: null,
    period: null,
    currency: null,
  });
});
