import { routes } from "#contract/routes.ts";
import { AppError } from "#platform/app-error.ts";
import { sessionToken } from "#platform/http/session-cookie.ts";
import type { FindCurrentUser } from "../signed-in/current-user-query.ts";
import { currentUserView } from "../signed-in/current-user-view.ts";
import type { Mount, Services } from "../services.ts";
import { setUpAccount } from "./set-up-account.ts";

export function launchRoutes(mount: Mount, services: Services & { findCurrentUser: FindCurrentUser }): void {
  mount(routes.setUpAccount, async ({ signedIn, body, request, address }) => {
    await setUpAccount(services, signedIn, { ...body, address });
    const current = await services.findCurrentUser(sessionToken(request, services.cookie) ?? "");
    if (!current) throw new AppError("session_expired");
    return { user: currentUserView(current, services.publicUrl) };
  });
}
