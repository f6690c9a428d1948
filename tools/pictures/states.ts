/** An account and workspace for every row of the table of states, built from the contract's shapes. */
import type { User } from "#contract/accounts/account.ts";
import type { FirstDays } from "#contract/accounts/onboarding/first-days.ts";
import { firstDaySteps, onboardingSteps, type OnboardingStep } from "#contract/accounts/account-values.ts";
import type { BackupOverview } from "#contract/workspaces/backup.ts";
import type { UsedLimits } from "#contract/workspaces/monitoring/usage.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { buildAccount, buildPlanSpec } from "#testing/accounts/build-account.ts";
import { buildInstance } from "#testing/accounts/build-instance.ts";
import { panelState, type RowName, type Standing } from "#web/features/workspace/state/panel-state.ts";
import { standingRows, workspaceRows } from "#web/features/workspace/state/state-table.ts";

type Account = User["account"];

/** The moment of every picture. */
export const now = new Date("2026-11-23T10:00:00Z");
const dayMs = 86_400_000;
const inDays = (days: number) => new Date(now.getTime() + days * dayMs);

export interface PicturedState {
  title: string;
  page: "/dashboard" | "/account/launching" | "/account/suspended" | "/account/close";
  account: Account;
  confirmed: boolean;
  usage: UsedLimits | null;
  restore: BackupOverview["restore"];
  firstDays: FirstDays;
}

const { offline, pending, stopped } = instanceStatus;
const url = "https://acme-works.slipway.example";
const has = (changes: Partial<Instance> = {}): Partial<Account> => ({
  instance: buildInstance({ url, timezone: "Europe/Berlin", ...changes }),
});
const trial = (days = 12): Partial<Account> => ({ planSpec: buildPlanSpec("trial-1", inDays(days)), billing: null });
type Billing = NonNullable<Account["billing"]>;
const pays = (changes: Partial<Billing> = {}, days = 18): Partial<Account> => ({
  planSpec: buildPlanSpec("pro-1", inDays(days)),
  billing: { status: "active", planId: "pro-1-monthly", updateUrl: null, cancelAt: null, isArranged: false, ...changes },
});
const progress = (step: NonNullable<Instance["progress"]>["step"], label: string, percent: number) => ({
  progress: { step, label, percent },
});
const soon = { cancelAt: inDays(9).toISOString() };

/** Sixty a day, fewer at weekends, one bad day. */
const history = Array.from({ length: 30 }, (_, index) => {
  const date = inDays(index - 29);
  const executions = Math.round((date.getUTCDay() % 6 === 0 ? 14 : 60) * (0.75 + 0.25 * Math.sin(index * 1.7)));
  return { date: date.toISOString().slice(0, 10), executions, failed: index === 21 ? 19 : index % 5 === 0 ? 2 : 0 };
});
const used = (executions: number, limit: number, hasRun = true): UsedLimits => ({
  executions,
  activeWorkflows: hasRun ? 7 : 0,
  timeframe: { startsAt: inDays(-12).toISOString(), endsAt: inDays(18).toISOString() },
  limits: { executions: limit, activeWorkflows: 15 },
  history: hasRun ? history : history.map(({ date }) => ({ date, executions: 0, failed: 0 })),
  workflows: hasRun ? [{ id: "orders", name: "Orders to the warehouse", executions: 812, failed: 14 }] : null,
  countedAt: now.toISOString(),
});

const done: Account["onboarding"] = { next: null, steps: onboardingSteps.map((name) => ({ name, state: "done" })) };

/** With this many of its steps done. */
const firstDays = (done: number): FirstDays => ({
  steps: firstDaySteps.map((name, index) => ({ name, isDone: index < done })),
  isOver: done === firstDaySteps.length,
});

const state = (title: string, account: Partial<Account>, changes: Partial<PicturedState> = {}): PicturedState => ({
  title,
  page: "/dashboard",
  account: buildAccount({ onboarding: done, ...account }),
  confirmed: true,
  usage: used(1348, 10_000),
  restore: null,
  firstDays: firstDays(firstDaySteps.length),
  ...changes,
});

const signingUp = (next: OnboardingStep): Partial<Account> => ({
  isSetup: false,
  instance: null,
  planSpec: null,
  onboarding: {
    next,
    steps: onboardingSteps.map((name) => ({
      name,
      state: onboardingSteps.indexOf(name) >= onboardingSteps.indexOf(next) ? "todo" : name === "invite" ? "skipped" : "done",
    })),
  },
});

const launching = { ...trial(14), ...has({ status: pending, isNew: true, ...progress("start", "Starting n8n 2.40.7", 55) }) };

/** In the order in which an account may reach them. */
export const picturedStates: readonly PicturedState[] = [
  state("Email not confirmed", signingUp("verify"), { confirmed: false }),
  state("Setting up the account", signingUp("setup")),
  state("Launching, the page", launching, { page: "/account/launching" }),
  state("Launched, the page", { ...trial(14), ...has() }, { page: "/account/launching" }),
  state(
    "Being set up",
    { ...trial(14), ...has({ status: pending, isNew: true, ...progress("prepare", "Preparing its database", 30) }) },
    { usage: null },
  ),
  state("Starting for the first time", launching, { usage: null }),
  state(
    "Launch delayed",
    {
      ...trial(14),
      ...has({ status: offline, isNew: true, cause: "not-starting", reason: "n8n did not start within 3 minutes. We are trying again." }),
    },
    { usage: null },
  ),
  state("First day", { ...trial(14), ...has() }, { usage: used(0, 1000, false), firstDays: firstDays(1) }),
  state("Online, trial", { ...trial(), ...has() }, { firstDays: firstDays(4) }),
  state("Online, paid", { ...pays(), ...has() }),
  state("Asleep", { ...pays(), ...has({ asleepSince: inDays(-0.1).toISOString() }) }),
  state("Trial ends soon", { ...trial(3), ...has() }),
  state("Trial over", { ...trial(-0.1), ...has() }),
  state("Over quota", { ...pays(), ...has() }, { usage: used(10_000, 10_000) }),
  state("Applying changes", { ...pays(), ...has({ status: pending, ...progress("start", "Starting n8n", 60) }) }),
  state("Updating", {
    ...pays(),
    ...has({ status: pending, runningVersion: "2.38.7", ...progress("prepare", "Backing up before the update", 30) }),
  }),
  state(
    "Restoring",
    { ...pays(), ...has({ status: pending, ...progress("prepare", "Putting the backup in place", 40) }) },
    {
      restore: { id: "1", backupId: "1", state: "running", createdAt: now.toISOString(), finishedAt: null, reason: null, isInPlace: false },
    },
  ),
  state("Recovering", { ...pays(), ...has({ status: pending, cause: "out-of-memory", ...progress("start", "Starting n8n", 60) }) }),
  state("Offline", {
    ...pays(),
    ...has({ status: offline, cause: "out-of-memory", reason: "It ran out of memory three times in a row." }),
  }),
  state("Offline, our fault", {
    ...pays(),
    ...has({ status: offline, cause: "not-installed", reason: "n8n 2.40.7 could not be installed." }),
  }),
  state("Waits for its last backup", {
    ...pays(),
    ...has({
      status: offline,
      isNew: true,
      life: 2,
      cause: "waits-for-backup",
      reason:
        "The workspace could not be restored from its last backup yet, and does not start empty. Something went wrong on our side. Try again in a moment.",
    }),
  }),
  state("Payment late", { ...pays({ status: "past_due" }), ...has() }),
  state("Payments failed", { ...pays({ status: "paused" }), ...has({ status: stopped, deletionAt: inDays(30).toISOString() }) }),
  state("Set to expire", { ...pays(soon), ...has() }),
  state("Arranged plan ends", { ...pays({ ...soon, isArranged: true }), ...has() }),
  state("Cancelled and over", { ...pays({ status: "deleted" }, -1), ...has({ status: stopped, deletionAt: inDays(6).toISOString() }) }),
  state("Stopped", { ...pays(), ...has({ status: stopped, reason: "The workspace was stopped by our support." }) }),
  state(
    "Suspended",
    {
      ...pays(),
      ...has({ status: stopped }),
      suspension: {
        since: inDays(-2).toISOString(),
        until: inDays(12).toISOString(),
        reason: "Your workspace sends unsolicited mail. Tell us how you stop it.",
      },
    },
    { page: "/account/suspended" },
  ),
  state(
    "Closed",
    { ...pays(), instance: null, closing: { since: inDays(-2).toISOString(), eraseAt: inDays(28).toISOString(), reason: null } },
    { page: "/account/close" },
  ),
  state("To be deleted", { ...trial(-2), ...has({ status: stopped, deletionAt: inDays(5).toISOString() }) }),
  state("Being deleted", { ...pays(), ...has({ status: pending, isBeingDeleted: true }) }),
  state("No workspace", { ...pays(), instance: null }),
  state("No workspace, no plan", { ...trial(-2), instance: null }),
];

/** Throws if a row of the table has no picture, or none of its words would be visible. */
export function checkPictures(): void {
  const rows = new Set<RowName>();
  const standings = new Set<Standing>();
  for (const pictured of picturedStates) {
    const isOverQuota = pictured.usage !== null && pictured.usage.executions >= pictured.usage.limits.executions;
    const isFirstDay = !pictured.firstDays.steps[1]!.isDone;
    const facts = { isOverQuota, isRestoring: pictured.restore !== null, isFirstDay };
    const found = panelState({ account: pictured.account, nowMs: now.getTime(), ...facts });
    rows.add(found.row);
    standings.add(found.standing);
  }
  const missing = [
    ...(Object.keys(workspaceRows) as RowName[]).filter((name) => !rows.has(name)),
    ...(Object.keys(standingRows) as Standing[]).filter((name) => !standings.has(name)),
  ];
  if (missing.length > 0) throw new Error(`No picture shows ${missing.join(", ")}: add a state to tools/pictures/states.ts.`);
}
