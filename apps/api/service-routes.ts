/** What the panel needs before anybody is signed in, and the development inbox. */
import { routes } from "#contract/routes.ts";
import { developmentInbox } from "#domain/mail/development-inbox.ts";
import type { Mount } from "#domain/journeys/services.ts";
import type { ApiServices } from "./services.ts";

export function serviceRoutes(mount: Mount, services: ApiServices): void {
  mount(routes.frontEndConfig, async () => ({
    featureFlags: {},
    engine: services.workspace.engine,
    workspaceHost: new URL(services.publicUrl).host,
    developmentInbox: services.developmentInbox,
    links: services.links,
  }));

  // Not mounted at all where mail is really sent: a call that does not exist cannot be opened by mistake.
  if (services.developmentInbox) mount(routes.developmentInbox, async () => ({ messages: await developmentInbox(services.db) }));
}
