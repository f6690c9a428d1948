import { routes } from "#contract/routes.ts";
import type { Mount, Services } from "../services.ts";
import { forgotPassword } from "./forgot-password.ts";
import { resetPassword } from "./reset-password.ts";

/** They wait most of the time, so that the delay does not reveal whether there is an account. */
const mailsAtOnce = 8;

export function forgotPasswordRoutes(mount: Mount, services: Services): void {
  mount(routes.forgotPassword, ({ body, address }) => forgotPassword(services, body.email, address), {
    perMinute: 60,
    atOnce: mailsAtOnce,
  });
  mount(routes.resetPassword, ({ body, address }) => resetPassword(services, body, address), { perMinute: 30, atOnce: 2 });
}
