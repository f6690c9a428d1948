import { expect, test } from "vitest";
import type { PlanFacts } from "#domain/plans/plan-facts.ts";
import { stopsWorking } from "./stops-working.ts";

type Spec = PlanFacts["spec"];
const spec: Spec = {
  displayName: "Pro",
  monthlyExecutionsLimit: 10_000,
  activeWorkflowsLimit: 15,
  credentialsLimit: -1,
  supportTier: "email",
  pruneExecutionsInterval: 720,
  executionsKept: 10_000,
  backupDays: 30,
  licenseFeatures: { "quota:users": -1 },
  enabledFeatures: ["shared-projects-3", "insights-7-days", "workflow-history-5-days", "global-variables"],
  n8nLicense: true,
  userManagementEnabled: true,
  allowCustomQuotas: true,
  metadata: { version: "v3", group: "opt-out", slug: "pro-1" },
};
const plan = (changes: Partial<Spec>, name = "Starter") => ({
  plan: {
    planId: name,
    name,
    specId: name,
    billingType: "month",
    period: { unit: "month", count: 1 },
    recurringPrice: { USD: 1 },
    customQuotas: null,
    withdrawn: false,
    spec: { ...spec, ...changes },
  } satisfies PlanFacts,
  quotas: null,
});
const nothing = { activeWorkflows: 0, executions: 0 };
const lost = (changes: Partial<Spec>, used = nothing, isNow = false) =>
  stopsWorking(plan({}, "Pro"), plan(changes), used, isNow, { engine: "n8n", n8nLicense: true });

test("a plan with equal limits takes nothing away", () => {
  expect(lost({})).toEqual([]);
  expect(
    lost({
      monthlyExecutionsLimit: -1,
      activeWorkflowsLimit: 50,
      backupDays: 60,
      enabledFeatures: [...spec.enabledFeatures.slice(1), "shared-projects-unlimited", "ldap"],
    }),
  ).toEqual([]);
});

test.each<[string, Partial<Spec>, string]>([
  ["executions", { monthlyExecutionsLimit: 2500 }, "2,500 executions a month (down from 10,000)."],
  ["active workflows", { activeWorkflowsLimit: 5 }, "5 active workflows (down from 15)."],
  ["people", { licenseFeatures: { "quota:users": 5 } }, "Members: 5 (down from unlimited)."],
  ["projects", { enabledFeatures: ["shared-projects-1", ...spec.enabledFeatures.slice(1)] }, "Shared projects: 1 (down from 3)."],
  ["kept executions", { pruneExecutionsInterval: 24 }, "Executions are kept for 1 day instead of 30; older ones are deleted."],
  ["executions in the log", { executionsKept: 2500 }, "Up to 2,500 executions are kept (down from 10,000); older ones are deleted."],
  ["backups", { backupDays: 7 }, "Backups are kept for 7 days instead of 30; older ones are deleted."],
  [
    "insights",
    { enabledFeatures: spec.enabledFeatures.filter((feature) => !feature.startsWith("insights")) },
    "Insights are no longer available.",
  ],
  [
    "history",
    { enabledFeatures: ["shared-projects-3", "insights-7-days", "workflow-history-1-day", "global-variables"] },
    "Workflow history: 1 day (down from 5).",
  ],
  ["a feature", { enabledFeatures: spec.enabledFeatures.slice(0, 3) }, "Global variables is not part of Starter."],
])("a smaller number of %s is listed, and nothing else", (_what, changes, line) => expect(lost(changes)).toEqual([line]));

test.each<[string, Partial<Spec>, string]>([
  ["execution", { monthlyExecutionsLimit: 9999 }, "9,999 executions a month (down from 10,000)."],
  ["active workflow", { activeWorkflowsLimit: 14 }, "14 active workflows (down from 15)."],
  ["project", { enabledFeatures: ["shared-projects-2", ...spec.enabledFeatures.slice(1)] }, "Shared projects: 2 (down from 3)."],
  ["day of executions", { pruneExecutionsInterval: 696 }, "Executions are kept for 29 days instead of 30; older ones are deleted."],
  ["kept execution", { executionsKept: 9999 }, "Up to 9,999 executions are kept (down from 10,000); older ones are deleted."],
  ["day of backups", { backupDays: 29 }, "Backups are kept for 29 days instead of 30; older ones are deleted."],
])("one %s less is listed", (_what, changes, line) => expect(lost(changes)).toEqual([line]));

test("a listed feature that is not delivered is not taken away", () => {
  expect(stopsWorking(plan({}, "Pro"), plan({ enabledFeatures: [] }), nothing, false)).toEqual([
    "Insights are no longer available.",
    "Workflow history is no longer available.",
    "Global variables is not part of Starter.",
  ]);
  const some = ["shared-projects-3", "execution-search", "admin-roles"];
  expect(stopsWorking(plan({ enabledFeatures: some }, "Pro"), plan({ enabledFeatures: [] }), nothing, false)).toEqual([]);
});

test("a plan without a backup setting keeps them for the usual 7 days", () => {
  const { backupDays: _unsaid, ...unsaid } = spec;
  expect(stopsWorking(plan({}, "Pro"), { ...plan({}), plan: { ...plan({}).plan, spec: unsaid } }, nothing, false)).toEqual([
    "Backups are kept for 7 days instead of 30; older ones are deleted.",
  ]);
});

test("usage above the new limits is listed first; executions only while they still count", () => {
  const used = { activeWorkflows: 12, executions: 3000 };
  const changes = { monthlyExecutionsLimit: 2500, activeWorkflowsLimit: 5 };
  expect(lost(changes, used, true).slice(0, 2)).toEqual([
    expect.stringMatching(/^12 workflows are active, but Starter allows 5/),
    expect.stringMatching(/^3,000 executions are used/),
  ]);
  expect(lost(changes, used, false)).toEqual([
    expect.stringMatching(/^12 workflows are active/),
    "2,500 executions a month (down from 10,000).",
    "5 active workflows (down from 15).",
  ]);
});
