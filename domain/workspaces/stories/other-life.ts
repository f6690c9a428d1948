import { AppError } from "#platform/app-error.ts";
import type { WorkspaceRow } from "../workspace-row.ts";

/** Refuses what was meant for a workspace that has been deleted since, and never hits the one that has its place. Without `life`, whichever there is was meant. */
export function refuseOtherLife(workspace: Pick<WorkspaceRow, "life">, life: number | undefined): void {
  if (life !== undefined && workspace.life !== life) throw new AppError("workspace_replaced");
}
