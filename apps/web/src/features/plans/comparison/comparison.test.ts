import { expect, test } from "vitest";
import { asDelivered, n8nAlone } from "#contract/billing/plans/delivered-features.ts";
import { comparePlans } from "./comparison.ts";
import { monthlyPlans as monthly } from "#testing/payments/catalogue-plans.ts";

const alone = { ...n8nAlone, workspaceMemoryMb: 1024 };
const licensed = { ...alone, n8nLicense: true };
const { columns, rows } = comparePlans(monthly, alone);
const withLicense = comparePlans(monthly, licensed).rows;
const row = (name: string, among = rows) => among.find((each) => each.name === name)?.cells;

test("plans that differ in quotas only share a column, also with the labels that are delivered", () => {
  expect(columns).toEqual(["Starter", "Pro", "Enterprise"]);
  const answered = monthly.map((plan) => ({ ...plan, spec: asDelivered(plan.spec, n8nAlone) }));
  expect(comparePlans(answered, alone)).toEqual({ columns, rows });
});

test("what the offered plans differ in comes before what they share, whatever the enterprise plan has", () => {
  const differing = rows.map(({ differs }) => differs);
  expect(differing).toEqual(differing.toSorted((one, other) => Number(other) - Number(one)));
  expect(rows.filter(({ differs }) => differs).map(({ name }) => name)).toEqual([
    "Executions a month",
    "Active workflows",
    "Executions at a time",
    "Log retention",
    "Executions in the log",
    "Backups kept",
    "Memory",
    "Support",
  ]);
  expect(withLicense.find(({ name }) => name === "LDAP")?.differs).toBe(false);
  // A single plan can only be compared with the enterprise plan.
  const single = comparePlans(monthly.slice(0, 1), alone).rows;
  expect(single.find(({ name }) => name === "Support")?.differs).toBe(true);
});

test("a tool that has no limit of executions at a time shows none", () => {
  const nodeRed = comparePlans(monthly, { ...alone, engine: "node-red" }).rows;
  expect(row("Executions at a time", nodeRed)).toBeUndefined();
  const without = monthly.map((plan) => ({ ...plan, spec: { ...plan.spec, concurrentExecutionsLimit: undefined } }));
  expect(row("Executions at a time", comparePlans(without, alone).rows)).toBeUndefined();
  const none = monthly.map((plan) => ({ ...plan, spec: { ...plan.spec, concurrentExecutionsLimit: -1 } }));
  expect(row("Executions at a time", comparePlans(none, alone).rows)).toEqual(["Unlimited", "Unlimited", "As agreed"]);
});

test("quotas, retention, backups and memory match the catalogue", () => {
  expect(row("Executions a month")).toEqual(["2,500", "up to 1,000,000", "As agreed"]);
  expect(row("Active workflows")).toEqual(["5", "up to 500", "As agreed"]);
  expect(row("Executions at a time")).toEqual(["5", "up to 50", "As agreed"]);
  expect(row("Log retention")).toEqual(["7 days", "30 days", "As agreed"]);
  expect(row("Executions in the log")).toEqual(["up to 2,500", "up to 50,000", "As agreed"]);
  expect(row("Backups kept")).toEqual(["7 days", "30 days", "As agreed"]);
  expect(row("Memory")).toEqual(["1,024 MB", "up to 2,048 MB", "As agreed"]);
  expect(row("Support")).toEqual(["Forum", "Email", "Dedicated"]);
  expect(row("Users, each with a separate space")).toEqual(["Unlimited", "Unlimited", "Unlimited"]);
});

test("without a license n8n's free features are listed, and what this service delivers itself", () => {
  expect(row("Global variables")).toEqual([true, true, true]);
  expect(row("Extended retention")).toEqual([false, false, true]);
  expect(row("Insights")).toEqual(["7 days, summary", "7 days, summary", "7 days, summary"]);
  expect(row("Workflow history")).toEqual(["1 day", "1 day", "1 day"]);
  for (const name of ["Shared projects", "Execution search", "Admin roles", "LDAP", "Scaling"]) expect(row(name), name).toBeUndefined();
});

test("a license adds its features to the plans that include it", () => {
  expect(row("Users", withLicense)).toEqual(["Unlimited", "Unlimited", "Unlimited"]);
  expect(row("Shared projects", withLicense)).toEqual([false, "3", "Unlimited"]);
  expect(row("Insights", withLicense)).toEqual(["7 days, summary", "7 days", "365 days"]);
  expect(row("Workflow history", withLicense)).toEqual(["1 day", "5 days", "Unlimited"]);
  expect(row("Execution search", withLicense)).toEqual([false, true, true]);
  expect(row("LDAP", withLicense)).toEqual([false, false, true]);
  expect(row("Scaling", withLicense)).toBeUndefined();
});
