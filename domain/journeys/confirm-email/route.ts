import { routes } from "#contract/routes.ts";
import { readSession, type UserServices } from "../signed-in/read-session.ts";
import type { Mount } from "../services.ts";
import { queueOfLinks } from "../signed-in/queue-of-links.ts";
import { confirmEmail } from "./confirm-email.ts";
import { resendConfirmation } from "./resend-confirmation.ts";

export function confirmEmailRoutes(mount: Mount, services: UserServices): void {
  mount(
    routes.confirmEmail,
    async ({ body, request, address }) =>
      confirmEmail(services, body.token, { session: await readSession(services, request), password: body.password }, address),
    { perMinute: 30, ...queueOfLinks(services, "confirm-email") },
  );
  mount(routes.resendConfirmation, ({ signedIn, address }) => resendConfirmation(services, signedIn, address), { perMinute: 10 });
}
