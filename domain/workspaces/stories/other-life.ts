import { AppError } from "#platform/app-error.ts";
import type { WorkspaceRow } from "../workspace-row.ts";

/**
 * Refuses a request meant for a workspace deleted since, so that it never affects the one in its place. Without `life`, the current one is
 * meant.
 */
export function refuseOtherLife(workspace: Pick<WorkspaceRow, "life">, life: number | undefined): void {
  if (life !== undefined && workspace.life !== life) throw new AppError("workspace_replaced");
}
