/** Shapes a workspace row for the panel. */
import type { Instance } from "#contract/workspaces/workspace.ts";
import { executionsToKeepOf, type KeepingPlan } from "#contract/workspaces/kept-executions.ts";
import { launchSteps, type LaunchStep, type TroubleCause } from "#contract/workspaces/workspace-values.ts";
import { settingsRevision } from "./settings/settings-revision.ts";
import type { WorkspaceRow } from "./workspace-store.ts";
import { workspaceStatus, type StatusFacts } from "./workspace-status.ts";
import type { JournalEvent } from "./journal-events.ts";

export type ViewedColumns = StatusFacts &
  Pick<
    WorkspaceRow,
    | "life"
    | "engine"
    | "desiredVersion"
    | "observedVersion"
    | "timezone"
    | "channel"
    | "autoUpdate"
    | "maintenanceWindow"
    | "executionsToKeep"
    | "progressStep"
    | "progressLabel"
    | "progressPercent"
    | "reason"
    | "reasonCode"
    | "asleepSince"
    | "wakeAskedAt"
  >;

/** The API's Instance, as far as the row says; `address` is the workspace's own URL, and `plan` says how many executions it keeps. */
export function workspaceView(
  workspace: ViewedColumns,
  address: string,
  plan: KeepingPlan | null = null,
): Omit<Instance, "url" | "usedLimits"> {
  const { engine, desiredVersion, observedVersion, timezone, channel, autoUpdate, maintenanceWindow } = workspace;
  const step = launchSteps.find((name) => name === workspace.progressStep) as LaunchStep | undefined;
  const cause = troubleCause(workspace);
  return {
    life: workspace.life,
    status: workspaceStatus(workspace),
    engine,
    versionName: desiredVersion,
    ...(observedVersion && observedVersion !== desiredVersion ? { runningVersion: observedVersion } : {}),
    timezone,
    configuration: {
      channel,
      autoUpdate,
      maintenanceWindow,
      executionsToKeep: executionsToKeepOf(workspace.executionsToKeep, plan),
    },
    revision: settingsRevision(workspace),
    address,
    isNew: observedVersion === null,
    isBeingDeleted: workspace.desiredState === "deleted",
    // It is online for its owner while it wakes.
    progress:
      step && !workspace.coldSince ? { step, label: workspace.progressLabel ?? "", percent: workspace.progressPercent ?? 0 } : undefined,
    reason: workspace.reason ?? undefined,
    ...(cause ? { cause } : {}),
    ...(workspace.asleepSince && !workspace.wakeAskedAt ? { asleepSince: workspace.asleepSince.toISOString() } : {}),
  };
}

/** The address of an account's workspace: the account's name as a subdomain of the panel. */
export function workspaceUrl(publicUrl: string, accountName: string): string {
  const url = new URL(publicUrl);
  return `${url.protocol}//${accountName}.${url.host}`;
}

const causes: Readonly<Partial<Record<JournalEvent, TroubleCause>>> = {
  "out-of-memory": "out-of-memory",
  died: "keeps-stopping",
  evicted: "moving",
  "start-delayed": "keeps-stopping",
  unhealthy: "not-answering",
  hung: "not-answering",
  unreachable: "not-answering",
  "disk-read-only": "cannot-save",
  "start-failed": "not-starting",
  "no-room": "not-starting",
  "no-image": "not-installed",
  "no-place": "not-installed",
  "start-timed-out": "not-starting",
  "install-failed": "not-installed",
  "first-restore-failed": "waits-for-backup",
};

/** Why the workspace has a problem, by the recorded event; undefined for one that is healthy or stopped. */
function troubleCause({ reasonCode, observedState }: Pick<WorkspaceRow, "reasonCode" | "observedState">): TroubleCause | undefined {
  // Waiting for a place in a cluster is not a problem.
  if (
    !reasonCode ||
    reasonCode === "start-waits" ||
    observedState === "online" ||
    observedState === "stopped" ||
    observedState === "deleted"
  )
    return undefined;
  return causes[reasonCode as JournalEvent] ?? "other";
}
