/** The owner opens or restarts their workspace; visitors who know its name get its URL. */
import { routes } from "#contract/routes.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { say } from "#contract/sentences/say.ts";
import { markFirstDays } from "#domain/accounts/onboarding-store.ts";
import { countCall } from "#domain/attempts/call-count-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { announceWorkspace, findWorkspace, prepareRouteLookup, requestRestart, writeJournal } from "#domain/workspaces/workspace-store.ts";
import { workspaceStatus } from "#domain/workspaces/workspace-status.ts";
import { workspaceUrl } from "#domain/workspaces/workspace-view.ts";
import { AppError } from "#platform/app-error.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import { instanceView } from "../signed-in/current-user-view.ts";
import type { Mount, Services } from "../services.ts";

/** A path inside the workspace: one slash, no backslash, nothing that a browser would read as a host. */
const localPath = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

export function openWorkspaceRoutes(mount: Mount, services: Services): void {
  const { db, clock, publicUrl } = services;

  mount(
    routes.getInstanceUrl,
    async ({ signedIn, query, address }) => {
      const { accountName, accountId, userId } = signedIn;
      const workspace = onlineWorkspace(signedIn);
      const landing = query.path && localPath.test(query.path) ? query.path : "/";
      // This signs in as the owner: an investigation needs to know who used it. Further links of a session within a minute say nothing new.
      await db.transaction(async (tx) => {
        const { calls } = await countCall(tx, `sign-in link from ${address}`, signedIn.sessionId);
        if (calls > 1) return;
        await writeAudit(
          tx,
          { accountId, userId, action: "workspace.opened", after: { workspaceId: workspace.id, openedBy: signedIn.openedBy }, address },
          clock.now(),
        );
      });
      await markFirstDays(db, accountId, ["open"], clock.now());
      return { url: workspaceUrl(publicUrl, accountName) + services.workspace.loginPath(workspace.id, landing) };
    },
    { head: async ({ signedIn }) => void onlineWorkspace(signedIn) },
  );

  const findRoute = prepareRouteLookup(db);
  mount(
    routes.getWorkspaceUrl,
    async ({ params }) => {
      // Called before sign-in. A workspace that the gateway would not find is not found here either: a free name, an account
      // without a workspace and a deleted workspace look the same, and the state is not revealed.
      const facts = await findRoute(params.username);
      if (!facts || facts.desiredState === "deleted") throw new AppError("workspace_not_found");
      return { url: workspaceUrl(publicUrl, params.username) };
    },
    // As many as for the check of a name, which reveals much the same.
    { perMinute: 60 },
  );

  mount(routes.restartInstance, async ({ signedIn, address }) => {
    if (!services.instanceOperations) throw new AppError("instance_operations_off");
    const restarted = await db.transaction(async (tx) => {
      const now = clock.now();
      const row = await requestRestart(tx, signedIn.accountId, now);
      if (!row) return findWorkspace(tx, signedIn.accountId);
      await writeJournal(tx, row.id, { event: "restart-requested", message: say("restartRequested"), actor: signedIn.fullName }, now);
      await writeAudit(tx, { accountId: signedIn.accountId, userId: signedIn.userId, action: "workspace.restarted", address }, now);
      await announceWorkspace(tx, row.id, signedIn.accountName);
      return row;
    });
    // Two simultaneous requests count as one; a stopped or deleted workspace cannot be restarted.
    if (restarted?.desiredState !== "running") throw new AppError("workspace_not_found");
    return instanceView(signedIn, publicUrl, restarted);
  });
}

/** Refuses (AppError) workspace_not_found, workspace_not_online. */
function onlineWorkspace({ workspace }: CurrentUser): NonNullable<CurrentUser["workspace"]> {
  if (!workspace) throw new AppError("workspace_not_found");
  if (workspaceStatus(workspace) !== instanceStatus.online) throw new AppError("workspace_not_online");
  return workspace;
}
