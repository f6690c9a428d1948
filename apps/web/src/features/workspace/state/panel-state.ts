/** Determines which row of the table of states (`state-table.ts`) account and workspace are in. */
import { arrangedNoticeDays } from "#contract/billing/plans/plan-days.ts";
import type { User } from "#contract/accounts/account.ts";
import { daysLeft } from "./trial.ts";
import { runs, workspaceState, type WorkspaceState } from "./workspace-state.ts";

/** The workspace's part of a state. */
export type RowName =
  /** Signing up, and the mail address is not confirmed. */
  | "unconfirmed"
  /** Signing up, at any other step. */
  | "half-way"
  /** No workspace, and a new one is allowed. */
  | "none"
  /** No workspace, and none is allowed without a plan. */
  | "ended"
  | "setting-up"
  | "starting"
  /** It has never been online, and its launch is being retried. */
  | "launch-delayed"
  | "applying"
  | "updating"
  | "restoring"
  /** Restarting after it failed. */
  | "recovering"
  | "offline"
  | "offline-for-us"
  | "stopped"
  | "paused"
  | "scheduled-for-deletion"
  | "deleting"
  | "over-quota"
  /** Online, and no workflow was made yet. */
  | "first-day"
  | "asleep"
  | "online";

/** The subscription's part of a state. */
export type Standing =
  /** No plan yet. */
  | "none"
  | "trial"
  | "trial-ending"
  | "trial-over"
  | "paying"
  | "payment-late"
  | "payments-failed"
  /** Cancelled, and paid until its end. */
  | "expiring"
  | "arranged-ending"
  /** Cancelled and ended. */
  | "ended";

type Account = Pick<User["account"], "isSetup" | "onboarding" | "billing" | "planSpec" | "instance">;

export interface PanelFacts {
  account: Account;
  /** Every execution of the period is used. */
  isOverQuota: boolean;
  /** A backup is being restored. */
  isRestoring: boolean;
  /** No workflow was ever made in it. */
  isFirstDay: boolean;
  nowMs: number;
}

export interface PanelState {
  row: RowName;
  standing: Standing;
  /** Its days and causes, for the texts. */
  workspace: WorkspaceState;
}

/** From this many days on, the plan takes precedence: there is still time to think. */
const soonDays = 5;

/** The state of account and workspace at this moment. */
export function panelState({ account, nowMs, ...facts }: PanelFacts): PanelState {
  const workspace = workspaceState(account, nowMs);
  return { row: rowOf(account, workspace, facts), standing: standingOf(account, nowMs), workspace };
}

type OtherFacts = Omit<PanelFacts, "account" | "nowMs">;

function rowOf(
  { isSetup, onboarding, instance }: Account,
  state: WorkspaceState,
  { isOverQuota, isRestoring, isFirstDay }: OtherFacts,
): RowName {
  if (!isSetup) return onboarding.next === "verify" ? "unconfirmed" : "half-way";
  if (state.kind === "none") return state.canCreate ? "none" : "ended";
  if (isRestoring && (state.kind === "setting-up" || state.kind === "starting")) return "restoring";
  if (state.kind === "pending") {
    if (state.cause) return "recovering";
    if (isRestoring) return "restoring";
    return instance?.runningVersion ? "updating" : "applying";
  }
  if (state.kind === "offline") {
    if (state.cause === "waits-for-backup") return "offline-for-us";
    if (instance?.isNew) return "launch-delayed";
    return state.cause === "not-installed" ? "offline-for-us" : "offline";
  }
  if (!runs(state)) return state.kind as Exclude<RowName, "online">;
  if (isOverQuota) return "over-quota";
  if (instance?.asleepSince) return "asleep";
  return isFirstDay ? "first-day" : "online";
}

function standingOf({ billing, planSpec }: Account, nowMs: number): Standing {
  const left = daysLeft(planSpec?.expirationDate, nowMs);
  if (!billing) {
    if (planSpec?.metadata.group !== "trial") return planSpec ? "paying" : "none";
    if (left === 0) return "trial-over";
    return left > 0 && left <= soonDays ? "trial-ending" : "trial";
  }
  if (billing.status === "past_due") return "payment-late";
  if (billing.status === "paused") return "payments-failed";
  if (billing.status === "deleted") return left > 0 ? "expiring" : "ended";
  if (!billing.cancelAt) return "paying";
  if (!billing.isArranged) return "expiring";
  return daysLeft(billing.cancelAt, nowMs) <= arrangedNoticeDays ? "arranged-ending" : "paying";
}
