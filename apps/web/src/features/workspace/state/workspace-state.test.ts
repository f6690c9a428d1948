import { expect, test } from "vitest";
import type { User } from "#contract/accounts/account.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { buildAccount, buildPlanSpec } from "#testing/accounts/build-account.ts";
import { buildInstance } from "#testing/accounts/build-instance.ts";
import { workspaceState, type WorkspaceState } from "./workspace-state.ts";

type Account = User["account"];
const { offline, online, pending, stopped } = instanceStatus;
const now = Date.parse("2026-11-21T12:00:00Z");
const inDays = (days: number) => new Date(now + days * 86_400_000);
const trial = (days: number): Partial<Account> => ({ billing: null, planSpec: buildPlanSpec("trial-1", inDays(days)) });
const pays = (status: "active" | "trialing" | "paused" | "past_due" | "deleted", days = 10): Partial<Account> => ({
  billing: { status, planId: "pro-1-monthly", updateUrl: null, cancelAt: null, isArranged: false },
  planSpec: buildPlanSpec("pro-1", inDays(days)),
});
const cancelled = (status: "active" | "past_due", days: number): Partial<Account> => ({
  billing: { status, planId: "pro-1-monthly", updateUrl: null, cancelAt: inDays(days).toISOString(), isArranged: false },
  planSpec: buildPlanSpec("pro-1", inDays(days)),
});
const has = (changes: Partial<Instance>): Partial<Account> => ({ instance: buildInstance(changes) });
const progress = (step: "install-engine" | "prepare" | "start" | "open-gateway") => ({ progress: { step, label: "", percent: 50 } });

test.each<[title: string, account: Partial<Account>, state: WorkspaceState]>([
  ["deleted during the trial", { ...trial(3), instance: null }, { kind: "none", canCreate: true }],
  ["deleted, the trial is over", { ...trial(-1), instance: null }, { kind: "none", canCreate: false }],
  ["deleted, paid", { ...pays("active"), instance: null }, { kind: "none", canCreate: true }],
  ["deleted, past due", { ...pays("past_due", -1), instance: null }, { kind: "none", canCreate: true }],
  ["deleted, paused", { ...pays("paused"), instance: null }, { kind: "none", canCreate: false }],
  ["deleted, cancelled, paid for still", { ...pays("deleted"), instance: null }, { kind: "none", canCreate: true }],
  ["deleted, cancelled and over", { ...pays("deleted", -1), instance: null }, { kind: "none", canCreate: false }],
  ["before any step of the launch", { ...trial(14), ...has({ status: pending, isNew: true }) }, { kind: "setting-up" }],
  ["installing", { ...trial(14), ...has({ status: pending, isNew: true, ...progress("install-engine") }) }, { kind: "setting-up" }],
  ["preparing", { ...trial(14), ...has({ status: pending, isNew: true, ...progress("prepare") }) }, { kind: "setting-up" }],
  ["starting for the first time", { ...trial(14), ...has({ status: pending, isNew: true, ...progress("start") }) }, { kind: "starting" }],
  [
    "opening for the first time",
    { ...trial(14), ...has({ status: pending, isNew: true, ...progress("open-gateway") }) },
    { kind: "starting" },
  ],
  ["online in the trial", { ...trial(13.1), ...has({ status: online }) }, { kind: "trial", daysLeft: 14 }],
  ["online in the trial's last hours", { ...trial(0.1), ...has({ status: online }) }, { kind: "trial", daysLeft: 1 }],
  ["online and paid", { ...pays("active"), ...has({ status: online }) }, { kind: "ready" }],
  ["online and past due", { ...pays("past_due"), ...has({ status: online }) }, { kind: "ready" }],
  [
    "online and ended, paid for still",
    { ...pays("deleted", 9.5), ...has({ status: online }) },
    { kind: "expiring", daysLeft: 10, until: inDays(9.5).toISOString() },
  ],
  [
    "online and cancelled",
    { ...cancelled("active", 9.5), ...has({ status: online }) },
    { kind: "expiring", daysLeft: 10, until: inDays(9.5).toISOString() },
  ],
  [
    "online, cancelled, in its last hours",
    { ...cancelled("active", 0.1), ...has({ status: online }) },
    { kind: "expiring", daysLeft: 1, until: inDays(0.1).toISOString() },
  ],
  [
    "online and cancelled, but a payment failed: that is said first",
    { ...cancelled("past_due", 9.5), ...has({ status: online }) },
    { kind: "ready" },
  ],
  ["cancelled, restarting", { ...cancelled("active", 9.5), ...has({ status: pending }) }, { kind: "pending", cause: null }],
  ["restarting", { ...pays("active"), ...has({ status: pending, ...progress("start") }) }, { kind: "pending", cause: null }],
  [
    "coming back after it ran out of memory",
    { ...pays("active"), ...has({ status: pending, cause: "out-of-memory" }) },
    { kind: "pending", cause: "out-of-memory" },
  ],
  [
    "it keeps running out of memory",
    { ...pays("active"), ...has({ status: offline, cause: "out-of-memory" }) },
    { kind: "offline", cause: "out-of-memory" },
  ],
  [
    "it could not be installed at first",
    { ...trial(14), ...has({ status: offline, isNew: true, cause: "not-installed" }) },
    { kind: "offline", cause: "not-installed" },
  ],
  ["cancelled and offline", { ...pays("deleted"), ...has({ status: offline }) }, { kind: "offline", cause: null }],
  ["stopped", { ...pays("active"), ...has({ status: stopped }) }, { kind: "stopped" }],
  [
    "stopped after the trial",
    { ...trial(-2), ...has({ status: stopped, deletionAt: inDays(4.5).toISOString() }) },
    { kind: "scheduled-for-deletion", daysLeft: 5 },
  ],
  [
    "its day of deletion has come",
    { ...trial(-8), ...has({ status: stopped, deletionAt: inDays(-1).toISOString() }) },
    { kind: "scheduled-for-deletion", daysLeft: 0 },
  ],
  [
    "stopped after a cancellation",
    { ...pays("deleted", -1), ...has({ status: stopped, deletionAt: inDays(6).toISOString() }) },
    { kind: "scheduled-for-deletion", daysLeft: 6 },
  ],
  [
    "paused after failed payments",
    { ...pays("paused"), ...has({ status: stopped, deletionAt: inDays(30).toISOString() }) },
    { kind: "paused", daysLeft: 30 },
  ],
  ["being stopped because payments failed", { ...pays("paused"), ...has({ status: pending }) }, { kind: "paused", daysLeft: -1 }],
  ["in the free days of a subscription", { ...pays("trialing"), ...has({}) }, { kind: "ready" }],
  ["being deleted", { ...pays("active"), ...has({ status: pending, isBeingDeleted: true }) }, { kind: "deleting" }],
])("%s", (_title, account, state) => {
  expect(workspaceState(buildAccount(account), now)).toEqual(state);
});
