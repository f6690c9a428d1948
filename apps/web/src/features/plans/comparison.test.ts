import { expect, test } from "vitest";
import { planView, readCatalogue } from "#domain/plans/catalogue.ts";
import { comparePlans } from "./comparison.ts";

const { plans, specs } = readCatalogue();
const monthly = plans.filter(({ id, withdrawn }) => id.endsWith("-monthly") && !withdrawn).map((plan) => planView(plan, specs.find(({ id }) => id === plan.spec)!));
const { columns, rows } = comparePlans(monthly);
const row = (name: string) => rows.find((each) => each.name === name)?.cells;

test("plans that differ in quotas only share a column", () => expect(columns).toEqual(["Starter", "Pro", "Enterprise"]));

test("quotas, sizes and retention are as the catalogue says", () => {
  expect(row("Executions a month")).toEqual(["2,500", "up to 1,000,000", "As agreed"]);
  expect(row("Active workflows")).toEqual(["5", "up to 500", "As agreed"]);
  expect(row("Shared projects")).toEqual(["1", "3", "Unlimited"]);
  expect(row("Insights")).toEqual([false, "7 days", "365 days"]);
  expect(row("Workflow history")).toEqual(["1 day", "5 days", "Unlimited"]);
  expect(row("Log retention")).toEqual(["7 days", "30 days", "As agreed"]);
  expect(row("Support")).toEqual(["Forum", "Email", "Dedicated"]);
  expect(row("Users")).toEqual(["Unlimited", "Unlimited", "Unlimited"]);
});

test("features are included or not", () => {
  expect(row("Execution search")).toEqual([false, true, true]);
  expect(row("LDAP")).toEqual([false, false, true]);
  expect(row("Dedicated support")).toBeUndefined();
});
