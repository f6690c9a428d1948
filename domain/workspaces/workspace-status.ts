/** The four statuses for people, derived from the desired and the observed state. No code depends on them. */
import type { Instance } from "#contract/workspaces/workspace.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import type { WorkspaceRow } from "./workspace-store.ts";

export type StatusFacts = Pick<WorkspaceRow, "desiredState" | "generation" | "observedState" | "observedGeneration" | "coldSince">;

/**
 * Pending while desired and observed differ, stopped if it should not run, offline if it should answer and does not. One that slept and is
 * being started by its next request stays online.
 */
export function workspaceStatus(workspace: StatusFacts): Instance["status"] {
  const settled = workspace.observedGeneration === workspace.generation;
  if (workspace.desiredState !== "running") {
    return workspace.observedState === "stopped" || workspace.observedState === "deleted" ? instanceStatus.stopped : instanceStatus.pending;
  }
  const isWaking = workspace.coldSince !== null && workspace.observedState === "starting";
  if (workspace.observedState === "online" || isWaking) return settled ? instanceStatus.online : instanceStatus.pending;
  return workspace.observedState === "offline" ? instanceStatus.offline : instanceStatus.pending;
}
