import { createHash } from "node:crypto";
import type { WorkspaceRow } from "../workspace-row.ts";

export type Settings = Pick<
  WorkspaceRow,
  "desiredVersion" | "timezone" | "channel" | "autoUpdate" | "maintenanceWindow" | "executionsToKeep"
>;

/** Names the settings by their content and their workspace: whoever changes them, by whatever way, changes it, and a restart does not. */
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
