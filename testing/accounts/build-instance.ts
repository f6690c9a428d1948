/** A workspace as the panel receives it, online unless specified otherwise. */
import type { Instance } from "#contract/workspaces/workspace.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";

export function buildInstance(changes: Partial<Instance> = {}): Instance {
  return {
    status: instanceStatus.online,
    engine: "n8n",
    versionName: "2.40.7",
    timezone: "Etc/UTC",
    configuration: { channel: "stable", autoUpdate: false, maintenanceWindow: { weekday: "sunday", startHour: 3 }, executionsToKeep: 1000 },
    revision: "settings-1",
    url: "http://localhost:3000/open?workspace=ada",
    address: "http://ada.localhost:3000",
    usedLimits: null,
    life: 1,
    isNew: false,
    isBeingDeleted: false,
    ...changes,
  };
}
