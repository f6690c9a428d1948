import { routes } from "#contract/routes.ts";
import type { Mount, Services } from "../services.ts";
import { confirmEmail } from "./confirm-email.ts";
import { resendConfirmation } from "./resend-confirmation.ts";

export function confirmEmailRoutes(mount: Mount, services: Services): void {
  mount(routes.confirmEmail, ({ body }) => confirmEmail(services, body.token), { perMinute: 30 });
  mount(routes.resendConfirmation, ({ signedIn }) => resendConfirmation(services, signedIn), { perMinute: 10 });
}
