import { routes } from "#contract/routes.ts";
import { readSession, type UserServices } from "../signed-in/read-session.ts";
import { requestMagicLink } from "./request-magic-link.ts";
import type { Mount } from "../services.ts";
import { startSession } from "../signed-in/start-session.ts";
import { visitorOf } from "../signed-in/caller.ts";
import { readCodeHolder } from "./read-code-holder.ts";
import { logInWithCode } from "./log-in-with-code.ts";

/** They wait most of the time, so that the delay does not reveal whether there is an account. */
const mailsAtOnce = 8;

export function loginCodeRoutes(mount: Mount, services: UserServices): void {
  mount(
    routes.logInWithCode,
    async ({ body, request, reply }) => {
      const { token, openedBy } = await logInWithCode(services, body.code, visitorOf(request), await readSession(services, request));
      return startSession(services, reply, token, openedBy);
    },
    { perMinute: 60, atOnce: 2 },
  );
  mount(routes.getCodeHolder, ({ body, address }) => readCodeHolder(services, body.code, address), { perMinute: 60, atOnce: 2 });
  mount(routes.requestMagicLink, ({ body, address }) => requestMagicLink(services, body.email, address), {
    perMinute: 60,
    atOnce: mailsAtOnce,
  });
}
