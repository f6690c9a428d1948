import { routes } from "#contract/routes.ts";
import type { Mount, Services } from "../services.ts";
import { changeEmail } from "./change-email.ts";
import { confirmEmailChange } from "./confirm-email-change.ts";

export function changeEmailRoutes(mount: Mount, services: Services): void {
  mount(routes.changeEmail, ({ signedIn, body, address }) => changeEmail(services, signedIn, { ...body, address }), { perMinute: 30 });
  mount(routes.confirmEmailChange, ({ body, address }) => confirmEmailChange(services, body.token, address), { perMinute: 30 });
}
