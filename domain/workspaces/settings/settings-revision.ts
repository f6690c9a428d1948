import { contentRevision } from "#platform/content-revision.ts";
import type { WorkspaceRow } from "../workspace-store.ts";

export type Settings = Pick<
  WorkspaceRow,
  "desiredVersion" | "timezone" | "channel" | "autoUpdate" | "maintenanceWindow" | "executionsToKeep"
>;

/** Identifies the settings by their content and workspace: every change of them changes it, a restart does not. */
export function settingsRevision({
  life,
  desiredVersion,
  timezone,
  channel,
  autoUpdate,
  maintenanceWindow: { weekday, startHour },
  executionsToKeep,
}: Settings & Pick<WorkspaceRow, "life">): string {
  return contentRevision([life, desiredVersion, timezone, channel, autoUpdate, weekday, startHour, executionsToKeep]);
}
