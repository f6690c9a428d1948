/** The settings of the workspace, and the available versions. */
import { routes } from "#contract/routes.ts";
import { offerVersions } from "#domain/workspaces/offered-release.ts";
import { instanceView } from "../signed-in/current-user-view.ts";
import type { Mount, Services } from "../services.ts";
import { changeSettings } from "./change-settings.ts";

export function workspaceSettingsRoutes(mount: Mount, services: Services): void {
  mount(routes.listInstanceVersions, async ({ signedIn: { workspace } }) => ({
    versions: offerVersions(services.workspace.releases, workspace),
    current: workspace?.desiredVersion ?? services.workspace.version,
  }));

  mount(
    routes.changeInstance,
    async ({ signedIn, body, address }) =>
      instanceView(signedIn, services.publicUrl, await changeSettings(services, signedIn, body, address)),
    { perMinute: 60 },
  );
}
