import { routes } from "#contract/routes.ts";
import type { Mount, Services } from "../services.ts";
import { forgotPassword } from "./forgot-password.ts";
import { resetPassword } from "./reset-password.ts";

/** They wait for most of their time, so that an account cannot be told from none by it. */
const mailsAtOnce = 8;

export function forgotPasswordRoutes(mount: Mount, services: Services): void {
  mount(routes.forgotPassword, ({ body, address }) => forgotPassword(services, body.email, address), {
    perMinute: 60,
    atOnce: mailsAtOnce,
  });
  mount(routes.resetPassword, ({ body, address }) => resetPassword(services, body, address), { perMinute: 30, atOnce: 2 });
}
