import { expect, test } from "vitest";
import { n8nAlone } from "#contract/billing/plans/delivered-features.ts";
import { buildPlanSpec } from "#testing/accounts/build-account.ts";
import { monthlyPlans as monthly, planFacts } from "#testing/payments/catalogue-plans.ts";
import { readCatalogue, planView } from "#domain/plans/catalogue.ts";
import { directionOf } from "#domain/plans/plan-facts.ts";
import { beginning, priceStep, whatChanges } from "./what-changes.ts";

const alone = { ...n8nAlone, workspaceMemoryMb: 1024 };
const licensed = { ...alone, n8nLicense: true };
const spec = (id: string) => buildPlanSpec(id, null);
const said = (from: string, to: string, delivery = alone) =>
  whatChanges(spec(from), spec(to), delivery).map(({ text, isMore }) => `${isMore ? "+" : "-"} ${text}`);

const { plans, specs } = readCatalogue();
const plan = (id: string) => {
  const entry = plans.find((each) => each.id === id)!;
  return planView(
    entry,
    specs.find((each) => each.id === entry.spec)!,
  );
};

test("a larger plan says what it adds, a smaller one what it takes away", () => {
  expect(said("starter", "pro-1")).toEqual([
    "+ 10,000 executions a month (up from 2,500)",
    "+ 15 active workflows (up from 5)",
    "+ 20 executions at a time (up from 5)",
    "+ 30-day execution log (up from 7 days)",
    "+ Up to 10,000 executions in the log (up from 2,500)",
    "+ Backups kept for 30 days (up from 7 days)",
    "+ Email support (up from Forum)",
  ]);
  expect(said("pro-2", "pro-1")).toEqual([
    "- 10,000 executions a month (down from 50,000)",
    "- 15 active workflows (down from 50)",
    "- 20 executions at a time (down from 50)",
    "- Up to 10,000 executions in the log (down from 50,000)",
    "- 1,024 MB memory (down from 2,048 MB)",
  ]);
});

test("a trial's features that a plan lacks are named, as far as they are delivered", () => {
  expect(said("trial-1", "starter")).toEqual([
    "+ 2,500 executions a month (up from 1,000)",
    "+ Unlimited users (up from 5)",
    "+ Up to 2,500 executions in the log (up from 1,000)",
    "+ Backups kept for 7 days (up from 3 days)",
    "- 7-day execution log (down from 30 days)",
  ]);
  expect(said("starter", "trial-1")).toContain("- 5 users (down from unlimited)");
  const licence = said("starter", "pro-1", licensed);
  expect(licence).toContain("+ 3 shared projects");
  expect(licence).toContain("+ Execution search");
  const less = said("pro-1", "starter", licensed);
  expect(less).toContain("- Execution search");
  expect(less).toContain("- Shared projects");
  expect(said("pro-1", "pro-1")).toEqual([]);
});

test("the difference in price is for one period and one currency", () => {
  const [starter, pro] = [plan("starter-monthly"), plan("pro-1-monthly")];
  expect(priceStep(starter, pro, "USD")).toBe(pro.recurring_price["USD"]! - starter.recurring_price["USD"]!);
  expect(priceStep(pro, starter, "USD")).toBeLessThan(0);
  expect(priceStep(starter, plan("pro-1-yearly"), "USD")).toBeNull();
  expect(priceStep(starter, pro, "XXX")).toBeNull();
  expect(priceStep(null, pro, "USD")).toBeNull();
});

test("a plan begins when the service would begin it: more immediately, less when the paid period ends", () => {
  expect(beginning(plan("starter-monthly"), plan("pro-1-monthly"), null)).toBe("now");
  expect(beginning(plan("starter-monthly"), plan("starter-yearly"), null)).toBe("now");
  expect(beginning(plan("pro-2-monthly"), plan("starter-monthly"), null)).toBe("period-end");
  // More than Pro has, chosen with custom quotas.
  expect(beginning(plan("custom-monthly"), plan("pro-2-monthly"), { monthlyExecutions: 90_000, activeWorkflows: 60 })).toBe("period-end");
  // A year that is paid is credited: only the provider knows whether that leaves something over.
  expect(beginning(plan("starter-yearly"), plan("pro-1-monthly"), null)).toBeNull();
});

test("panel and service always agree on which change is a downgrade", () => {
  for (const from of monthly)
    for (const to of monthly) {
      const [held, wanted] = [from, to].map(({ id }) => ({ plan: planFacts.get(id)!, quotas: null }));
      expect(beginning(from, to, null) === "period-end", `${from.id} to ${to.id}`).toBe(directionOf(held!, wanted!) === "downgrade");
    }
});
