/** The owner opens or restarts their workspace; visitors who know its name are told where it is. */
import { routes } from "#contract/routes.ts";
import { instanceStatus } from "#contract/workspaces/workspace.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { announceWorkspace, findWorkspace, prepareRouteLookup, requestRestart, writeJournal } from "#domain/workspaces/workspace-store.ts";
import { workspaceStatus } from "#domain/workspaces/workspace-status.ts";
import { workspaceUrl } from "#domain/workspaces/workspace-view.ts";
import { AppError } from "#platform/app-error.ts";
import { instanceView } from "../signed-in/current-user-view.ts";
import type { Mount, Services } from "../services.ts";

/** A path inside the workspace, not an address: one slash, no backslash, nothing that a browser would read as a host. */
const localPath = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

export function openWorkspaceRoutes(mount: Mount, services: Services): void {
  const { db, clock, publicUrl } = services;

  mount(routes.getInstanceUrl, async ({ signedIn, query, address }) => {
    const { workspace, accountName, accountId, userId } = signedIn;
    if (!workspace) throw new AppError("workspace_not_found");
    if (workspaceStatus(workspace) !== instanceStatus.online) throw new AppError("workspace_not_online");
    const landing = query.path && localPath.test(query.path) ? query.path : "/";
    // A way in as its owner: who took it is asked when something happened inside.
    await writeAudit(
      db,
      { accountId, userId, action: "workspace.opened", after: { workspaceId: workspace.id, openedBy: signedIn.openedBy }, address },
      clock.now(),
    );
    return { url: workspaceUrl(publicUrl, accountName) + services.workspace.loginPath(workspace.id, landing) };
  });

  const findRoute = prepareRouteLookup(db);
  mount(
    routes.getWorkspaceUrl,
    async ({ params }) => {
      // Asked before anybody has signed in. What the gateway would not find is not found here either: a name that is free, an
      // account without a workspace and a deleted workspace look the same, and its state is not told.
      const facts = await findRoute(params.username);
      if (!facts || facts.desiredState === "deleted") throw new AppError("workspace_not_found");
      return { url: workspaceUrl(publicUrl, params.username) };
    },
    // As many as for the check of a name, which answers much the same question.
    { perMinute: 60 },
  );

  mount(routes.restartInstance, async ({ signedIn, address }) => {
    if (!services.instanceOperations) throw new AppError("instance_operations_off");
    const restarted = await db.transaction(async (tx) => {
      const now = clock.now();
      const row = await requestRestart(tx, signedIn.accountId, now);
      if (!row) return findWorkspace(tx, signedIn.accountId);
      await writeJournal(tx, row.id, { event: "restart-requested", message: "Restart requested", actor: signedIn.fullName }, now);
      await writeAudit(tx, { accountId: signedIn.accountId, userId: signedIn.userId, action: "workspace.restarted", address }, now);
      await announceWorkspace(tx, row.id, signedIn.accountName);
      return row;
    });
    // Two requests in the same moment count as one; one that is stopped or gone cannot be restarted.
    if (restarted?.desiredState !== "running") throw new AppError("workspace_not_found");
    return instanceView(signedIn, publicUrl, restarted);
  });
}
