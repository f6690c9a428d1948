/** Which workspace state an account is in: each has its own look, which determines everything shown. */
import type { User } from "#contract/accounts/account.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { instanceStatus, launchSteps, type TroubleCause } from "#contract/workspaces/workspace-values.ts";
import { isInForce } from "../../billing/in-force.ts";
import { daysLeft } from "./trial.ts";

type WorkspaceAccount = Pick<User["account"], "billing" | "planSpec" | "instance">;

export type WorkspaceState =
  /** There is no workspace; `canCreate`: the subscription allows a new one. */
  | { kind: "none"; canCreate: boolean }
  /** Its first start, before the engine runs: installing and preparing. */
  | { kind: "setting-up" }
  /** Its first start, from the moment the engine starts. */
  | { kind: "starting" }
  | { kind: "ready" }
  /** Like ready, during the trial. */
  | { kind: "trial"; daysLeft: number }
  /** Like ready; the subscription was cancelled and ends when the paid period does. */
  | { kind: "expiring"; daysLeft: number; until: string | null }
  /** A change is being applied, or the workspace restarts after a crash; `cause` gives the reason if it was not a change. */
  | { kind: "pending"; cause: TroubleCause | null }
  | { kind: "offline"; cause: TroubleCause | null }
  | { kind: "stopped" }
  /** Payments failed. `daysLeft` until it is deleted; -1 if no day is set. */
  | { kind: "paused"; daysLeft: number }
  | { kind: "scheduled-for-deletion"; daysLeft: number }
  | { kind: "deleting" };

/** The state of the account's workspace at this moment. The subscription's state takes precedence over the process's. */
export function workspaceState(account: WorkspaceAccount, nowMs: number): WorkspaceState {
  const { billing, instance } = account;
  if (!instance) return { kind: "none", canCreate: allowsWorkspace(account, nowMs) };
  if (instance.isBeingDeleted) return { kind: "deleting" };
  const untilDeletion = daysLeft(instance.deletionAt, nowMs);
  if (billing?.status === "paused") return { kind: "paused", daysLeft: untilDeletion };
  if (instance.status === instanceStatus.stopped)
    return untilDeletion >= 0 ? { kind: "scheduled-for-deletion", daysLeft: untilDeletion } : { kind: "stopped" };
  const cause = instance.cause ?? null;
  if (instance.status === instanceStatus.offline) return { kind: "offline", cause };
  if (instance.status === instanceStatus.pending)
    return instance.isNew ? { kind: isStarting(instance) ? "starting" : "setting-up" } : { kind: "pending", cause };
  return whenOnline(account, nowMs);
}

/** The workspace answers, and its card says whether workflows may run. */
export const runs = ({ kind }: WorkspaceState): boolean => kind === "ready" || kind === "trial" || kind === "expiring";

function whenOnline({ billing, planSpec }: WorkspaceAccount, nowMs: number): WorkspaceState {
  const left = daysLeft(planSpec?.expirationDate, nowMs);
  if (billing?.status === "deleted") return { kind: "expiring", daysLeft: left, until: planSpec?.expirationDate ?? null };
  // A plan arranged by an operator cannot be resubscribed to: another notice announces its end.
  if (isInForce(billing?.status) && billing?.cancelAt && !billing.isArranged)
    return { kind: "expiring", daysLeft: daysLeft(billing.cancelAt, nowMs), until: billing.cancelAt };
  return planSpec?.metadata.group === "trial" && !billing ? { kind: "trial", daysLeft: left } : { kind: "ready" };
}

const isStarting = ({ progress }: Instance): boolean =>
  progress !== undefined && launchSteps.indexOf(progress.step) >= launchSteps.indexOf("start");

/** Decided as the server does: paying and trial accounts, and canceled ones until the paid period ends. */
function allowsWorkspace({ billing, planSpec }: WorkspaceAccount, nowMs: number): boolean {
  if (isInForce(billing?.status) || billing?.status === "past_due") return true;
  return billing?.status !== "paused" && daysLeft(planSpec?.expirationDate, nowMs) > 0;
}
