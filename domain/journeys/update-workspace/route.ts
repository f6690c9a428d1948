/** The calls about the last change of version. */
import { routes } from "#contract/routes.ts";
import { newestUpdate } from "#domain/updates/update-store.ts";
import { AppError } from "#platform/app-error.ts";
import { instanceView } from "../signed-in/current-user-view.ts";
import type { Mount, Services } from "../services.ts";
import { rollBackWorkspace } from "./roll-back-workspace.ts";
import { updateView } from "./update-view.ts";

export function updateRoutes(mount: Mount, services: Services): void {
  const { db, clock, publicUrl } = services;

  mount(routes.getInstanceUpdate, async ({ signedIn: { workspace } }) => {
    if (!workspace) throw new AppError("workspace_not_found");
    const newest = await newestUpdate(db, workspace.id);
    return { update: newest && updateView(newest, workspace, clock.now()) };
  });

  mount(
    routes.rollBackInstance,
    async ({ signedIn, body, address }) => instanceView(signedIn, publicUrl, await rollBackWorkspace(services, signedIn, body, address)),
    { perMinute: 10 },
  );
}
