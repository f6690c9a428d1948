import type { Instance } from "#contract/workspaces/workspace.ts";
import { workspaceUrl, workspaceView, type ViewedColumns } from "#domain/workspaces/workspace-view.ts";
import type { CurrentUser } from "./current-user-query.ts";

/** The workspace of whoever is asking, as they see it; `workspace` where a change has just made it another. */
export function instanceView({ accountName, subscription }: CurrentUser, publicUrl: string, workspace: ViewedColumns): Instance {
  const view = workspaceView(workspace, workspaceUrl(publicUrl, accountName));
  return subscription?.deletionAt ? { ...view, deletionAt: subscription.deletionAt.toISOString() } : view;
}
