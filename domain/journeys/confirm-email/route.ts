import { routes } from "#contract/routes.ts";
import type { Mount, Services } from "../services.ts";
import { confirmEmail } from "./confirm-email.ts";
import { resendConfirmation } from "./resend-confirmation.ts";

export function confirmEmailRoutes(mount: Mount, services: Services): void {
  mount(routes.confirmEmail, ({ body, address }) => confirmEmail(services, body.token, address), { perMinute: 30, atOnce: 2 });
  mount(routes.resendConfirmation, ({ signedIn, address }) => resendConfirmation(services, signedIn, address), { perMinute: 10 });
}
