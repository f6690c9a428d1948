/** The settings of the workspace, and the available versions. */
import { routes } from "#contract/routes.ts";
import { offeredToNew } from "#domain/updates/fleet/held-versions.ts";
import { offerVersions } from "#domain/workspaces/offered-release.ts";
import { instanceView } from "../signed-in/current-user-view.ts";
import type { Mount, Services } from "../services.ts";
import { changeSettings } from "./change-settings.ts";

export function workspaceSettingsRoutes(mount: Mount, services: Services): void {
  mount(routes.listInstanceVersions, async ({ signedIn: { workspace } }) => {
    const { version, releases } = await offeredToNew(services.db, services.workspace, services.clock.now());
    const current = workspace?.desiredVersion ?? version;
    // Its own is listed even if it could not be chosen now.
    const listed = offerVersions(services.workspace.releases, workspace).filter(
      ({ name }) => name === current || releases.some((release) => release.version === name),
    );
    return { versions: listed, current };
  });

  mount(
    routes.changeInstance,
    async ({ signedIn, body, address }) =>
      instanceView(signedIn, services.publicUrl, await changeSettings(services, signedIn, body, address)),
    { perMinute: 60 },
  );
}
