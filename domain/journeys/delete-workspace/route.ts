/** Deleting a workspace, and creating a new one. */
import { routes } from "#contract/routes.ts";
import { instanceView } from "../signed-in/current-user-view.ts";
import type { Mount, Services } from "../services.ts";
import { createWorkspace } from "./create-workspace.ts";
import { deleteWorkspace } from "./delete-workspace.ts";

export function deleteWorkspaceRoutes(mount: Mount, services: Services): void {
  const { publicUrl } = services;
  mount(
    routes.deleteInstance,
    async ({ signedIn, body, address }) => instanceView(signedIn, publicUrl, await deleteWorkspace(services, signedIn, body, address)),
    { perMinute: 20 },
  );
  mount(
    routes.createInstance,
    async ({ signedIn, body, address }) => instanceView(signedIn, publicUrl, await createWorkspace(services, signedIn, body, address)),
    { perMinute: 20 },
  );
}
