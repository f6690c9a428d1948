import { routes } from "#contract/routes.ts";
import { readSession, type UserServices } from "../signed-in/read-session.ts";
import type { Mount } from "../services.ts";
import { queueOfLinks } from "../signed-in/queue-of-links.ts";
import { changeEmail } from "./change-email.ts";
import { confirmEmailChange } from "./confirm-email-change.ts";
import { readPendingChange, resendEmailChange, withdrawEmailChange } from "./pending-change.ts";

export function changeEmailRoutes(mount: Mount, services: UserServices): void {
  mount(routes.changeEmail, ({ signedIn, body, address }) => changeEmail(services, signedIn, { ...body, address }), { perMinute: 30 });
  mount(
    routes.confirmEmailChange,
    async ({ body, request, address }) =>
      confirmEmailChange(services, body.token, { session: await readSession(services, request), password: body.password }, address),
    { perMinute: 30, ...queueOfLinks(services, "change-email") },
  );
  mount(routes.getEmailChange, async ({ signedIn }) => ({ pending: await readPendingChange(services, signedIn.userId) }));
  mount(routes.resendEmailChange, ({ signedIn, address }) => resendEmailChange(services, signedIn, address), { perMinute: 10 });
  mount(routes.withdrawEmailChange, ({ signedIn, address }) => withdrawEmailChange(services, signedIn, address), { perMinute: 30 });
}
