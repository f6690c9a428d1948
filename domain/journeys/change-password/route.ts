import { routes } from "#contract/routes.ts";
import { sessionToken } from "#platform/http/session-cookie.ts";
import type { Mount, Services } from "../services.ts";
import { changePassword } from "./change-password.ts";

export function changePasswordRoutes(mount: Mount, services: Services): void {
  mount(
    routes.changePassword,
    ({ signedIn, body, request, address }) => changePassword(services, signedIn, { ...body, token: sessionToken(request, services.cookie)!, address }),
    { perMinute: 30 },
  );
}
