import { expect, test } from "vitest";
import { expectedExecutions, recommendPlan } from "./recommend-plan.ts";
import { monthlyPlans as monthly } from "#testing/payments/catalogue-plans.ts";

const days = (count: number, executions: number) => Array.from({ length: count }, () => ({ executions }));

test.each([
  [100, 2, [], "starter-monthly"],
  // 2,084 with a fifth free are more than Starter's 2,500.
  [2083, 5, [], "starter-monthly"],
  [2084, 5, [], "pro-1-monthly"],
  [10, 6, [], "pro-1-monthly"],
  [10, 16, [], "pro-2-monthly"],
  [41_000, 3, [], "pro-2-monthly"],
  [42_000, 3, [], "custom-monthly"],
  [100, 60, [], "custom-monthly"],
  // 300 a day are 9,000 a month, however new the period is.
  [300, 1, days(10, 300), "pro-2-monthly"],
])("%d executions and %d active workflows: %s is enough, not more", (executions, activeWorkflows, history, id) =>
  expect(recommendPlan(monthly, { executions, activeWorkflows, history })?.id).toBe(id),
);

test("no plan is recommended without usage, or for more than the largest plan allows", () => {
  expect(recommendPlan(monthly, { executions: 0, activeWorkflows: 0, history: [] })).toBeNull();
  expect(recommendPlan(monthly, { executions: 2_000_000, activeWorkflows: 1, history: [] })).toBeNull();
  expect(recommendPlan(monthly, null)).toBeNull();
});

test("two days are too few for a monthly forecast", () => {
  expect(expectedExecutions({ executions: 50, activeWorkflows: 1, history: days(2, 1_000) })).toBe(50);
  expect(expectedExecutions({ executions: 50, activeWorkflows: 1, history: days(3, 1_000) })).toBe(30_000);
});
