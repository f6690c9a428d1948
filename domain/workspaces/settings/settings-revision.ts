import { createHash } from "node:crypto";
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
  const content = JSON.stringify([life, desiredVersion, timezone, channel, autoUpdate, weekday, startHour, executionsToKeep]);
  return createHash("sha256").update(content).digest("base64url").slice(0, 22);
}
