import { routes } from "#contract/routes.ts";
import { setBrowserCookie } from "#platform/http/browser-cookie.ts";
import type { Mount, Services } from "../services.ts";
import { visitorOf } from "../signed-in/caller.ts";
import { changePassword } from "./change-password.ts";

export function changePasswordRoutes(mount: Mount, services: Services): void {
  mount(
    routes.changePassword,
    async ({ signedIn, body, request, reply }) => {
      const browser = await changePassword(services, signedIn, body, visitorOf(request, services));
      if (browser !== null) setBrowserCookie(reply, services, browser);
    },
    { perMinute: 30 },
  );
}
