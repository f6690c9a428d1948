import { routes } from "#contract/routes.ts";
import type { Mount, Services } from "../services.ts";
import { currentUserView } from "./current-user-view.ts";

export function currentUserRoutes(mount: Mount, services: Services): void {
  mount(routes.me, async ({ signedIn }) => ({ user: currentUserView(signedIn, services.publicUrl) }));
}
