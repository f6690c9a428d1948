/** Shapes a workspace row for the panel. */
import { launchSteps, type Instance, type LaunchStep } from "#contract/workspace.ts";
import type { WorkspaceRow } from "./workspace-row.ts";
import { workspaceStatus, type StatusFacts } from "./workspace-status.ts";

export type ViewedColumns = StatusFacts &
  Pick<WorkspaceRow, "engine" | "desiredVersion" | "observedVersion" | "timezone" | "progressStep" | "progressLabel" | "progressPercent" | "reason">;

/** The wire's Instance; `url` is the workspace's address, without a sign-in. */
export function workspaceView(workspace: ViewedColumns, url: string): Instance {
  const status = workspaceStatus(workspace);
  const step = launchSteps.find((name) => name === workspace.progressStep) as LaunchStep | undefined;
  return {
    status,
    engine: workspace.engine,
    versionName: workspace.observedVersion ?? workspace.desiredVersion,
    timezone: workspace.timezone,
    configuration: {},
    url,
    progress: step ? { step, label: workspace.progressLabel ?? "", percent: workspace.progressPercent ?? 0 } : undefined,
    reason: workspace.reason ?? undefined,
  };
}

/** The address of an account's workspace: the account's name as a sub-domain of the panel. */
export function workspaceUrl(publicUrl: string, accountName: string): string {
  const url = new URL(publicUrl);
  return `${url.protocol}//${accountName}.${url.host}`;
}
