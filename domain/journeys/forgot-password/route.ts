import { routes } from "#contract/routes.ts";
import { findPersonByEmail } from "#domain/accounts/credential-store.ts";
import { setBrowserCookie } from "#platform/http/browser-cookie.ts";
import type { Mount, Services } from "../services.ts";
import { visitorOf } from "../signed-in/caller.ts";
import { knownUser } from "../signed-in/known-user.ts";
import { queueOfLinks } from "../signed-in/queue-of-links.ts";
import { forgotPassword } from "./forgot-password.ts";
import { resetPassword } from "./reset-password.ts";

/** They wait most of the time, so that the delay does not reveal whether there is an account. */
const mailsAtOnce = 8;

export function forgotPasswordRoutes(mount: Mount, services: Services): void {
  mount(routes.forgotPassword, ({ body, request }) => forgotPassword(services, body.email, visitorOf(request, services)), {
    perMinute: 60,
    atOnce: mailsAtOnce,
    apart: ({ body, request }) => knownUser(services, request, async () => (await findPersonByEmail(services.db, body.email))?.userId),
  });
  mount(
    routes.resetPassword,
    async ({ body, request, reply }) => {
      const browser = await resetPassword(services, body, visitorOf(request, services));
      if (browser !== null) setBrowserCookie(reply, services, browser);
    },
    { perMinute: 30, ...queueOfLinks(services, "reset-password") },
  );
}
