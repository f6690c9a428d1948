import type { FastifyRequest } from "fastify";
import { routes } from "#contract/routes.ts";
import { findPersonByEmail } from "#domain/accounts/credential-store.ts";
import { readSession, type UserServices } from "../signed-in/read-session.ts";
import { codeHolder } from "./count-code.ts";
import { requestMagicLink } from "./request-magic-link.ts";
import type { Mount } from "../services.ts";
import { knownUser } from "../signed-in/known-user.ts";
import { startSession } from "../signed-in/start-session.ts";
import { visitorOf } from "../signed-in/caller.ts";
import { readCodeHolder } from "./read-code-holder.ts";
import { logInWithCode } from "./log-in-with-code.ts";

/** They wait most of the time, so that the delay does not reveal whether there is an account. */
const mailsAtOnce = 8;

export function loginCodeRoutes(mount: Mount, services: UserServices): void {
  const codes = {
    perMinute: 60,
    atOnce: 2,
    apart: ({ request }: { request: FastifyRequest }) => knownUser(services, request),
    holder: ({ code }: { code: string }) => codeHolder(services, code),
  };
  mount(
    routes.logInWithCode,
    async ({ body, request, reply }) => {
      const visitor = visitorOf(request, services);
      return startSession(services, reply, await logInWithCode(services, body.code, visitor, await readSession(services, request)));
    },
    codes,
  );
  mount(routes.getCodeHolder, ({ body, address }) => readCodeHolder(services, body.code, address), codes);
  mount(routes.requestMagicLink, ({ body, request }) => requestMagicLink(services, body.email, visitorOf(request, services)), {
    perMinute: 60,
    atOnce: mailsAtOnce,
    apart: ({ body, request }) => knownUser(services, request, async () => (await findPersonByEmail(services.db, body.email))?.userId),
  });
}
