import { routes } from "#contract/routes.ts";
import { restoreSessionMark } from "#platform/http/session-cookie.ts";
import type { Mount, Services } from "../services.ts";
import { currentUserView } from "./current-user-view.ts";

export function currentUserRoutes(mount: Mount, services: Services): void {
  mount(routes.me, async ({ signedIn, request, reply }) => {
    restoreSessionMark(request, reply, services.cookie);
    return { user: currentUserView(signedIn, services) };
  });
}
