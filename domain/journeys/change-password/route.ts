import { routes } from "#contract/routes.ts";
import type { Mount, Services } from "../services.ts";
import { changePassword } from "./change-password.ts";

export function changePasswordRoutes(mount: Mount, services: Services): void {
  mount(routes.changePassword, ({ signedIn, body, address }) => changePassword(services, signedIn, { ...body, address }), {
    perMinute: 30,
  });
}
