/** The calls about changes of version: the last one, its rollback, and all of them. */
import { routes } from "#contract/routes.ts";
import { listUpdates, newestUpdate } from "#domain/updates/update-store.ts";
import { findWorkspace } from "#domain/workspaces/workspace-store.ts";
import { AppError } from "#platform/app-error.ts";
import { instanceView } from "../signed-in/current-user-view.ts";
import type { Mount, Services } from "../services.ts";
import { rollBackWorkspace } from "./roll-back-workspace.ts";
import { updateView } from "./update-view.ts";

/** Years of updates; a page with more would not be read. */
const changesPerPage = 20;

export function updateRoutes(mount: Mount, services: Services): void {
  const { db, clock, publicUrl } = services;

  mount(routes.getInstanceUpdate, async ({ signedIn: { workspace } }) => {
    if (!workspace) throw new AppError("workspace_not_found");
    const newest = await newestUpdate(db, workspace.id);
    return { update: newest && updateView(newest, workspace, clock.now()) };
  });

  mount(routes.getVersionHistory, async ({ signedIn: { accountId }, query: { before } }) => {
    const workspace = await findWorkspace(db, accountId);
    if (!workspace) throw new AppError("workspace_not_found");
    const found = await listUpdates(db, workspace.id, { before: before ? new Date(before) : null, most: changesPerPage + 1 });
    const shown = found.slice(0, changesPerPage);
    const oldest = shown.at(-1);
    const hasMore = found.length > shown.length;
    const launch = {
      version: oldest?.fromVersion ?? workspace.observedVersion ?? workspace.desiredVersion,
      at: (workspace.renewedAt ?? workspace.createdAt).toISOString(),
    };
    return {
      updates: shown.map((update) => updateView({ update, keptUntil: null }, workspace, clock.now())),
      next: hasMore ? oldest!.startedAt.toISOString() : null,
      launch: hasMore ? null : launch,
    };
  });
  mount(
    routes.rollBackInstance,
    async ({ signedIn, body, address }) => instanceView(signedIn, publicUrl, await rollBackWorkspace(services, signedIn, body, address)),
    { perMinute: 10 },
  );
}
