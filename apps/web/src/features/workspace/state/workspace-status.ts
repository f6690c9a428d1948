import type { Instance } from "#contract/workspaces/workspace.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";

type StatusName = keyof typeof instanceStatus;

const names = Object.keys(instanceStatus) as StatusName[];

/** The name of a numeric status. */
export const statusName = (instance: Pick<Instance, "status">): StatusName =>
  names.find((name) => instanceStatus[name] === instance.status) ?? "offline";

/** Whether the workspace answers. */
export const isOnline = (instance: Pick<Instance, "status"> | null | undefined): boolean => instance?.status === instanceStatus.online;

/** Percent of the whole launch; null while unknown. */
export function launchPercent(instance: Instance | null): number | null {
  if (isOnline(instance)) return 100;
  return instance?.progress?.percent ?? null;
}
