import type { IncomingHttpHeaders } from "node:http";
import { routes } from "#contract/routes.ts";
import { AppError } from "#platform/app-error.ts";
import { findByLogin } from "#domain/accounts/account-store.ts";
import { hashedAtOnce } from "#domain/accounts/password.ts";
import { clearSessionCookie, sessionToken } from "#platform/http/session-cookie.ts";
import type { Mount } from "../services.ts";
import type { UserServices } from "../signed-in/read-session.ts";
import { knownUser } from "../signed-in/known-user.ts";
import { endSession, startSession } from "../signed-in/start-session.ts";
import { signIn } from "./sign-in.ts";
import { visitorOf } from "../signed-in/caller.ts";

export function signInRoutes(mount: Mount, services: UserServices): void {
  mount(
    routes.logIn,
    async ({ body, request, reply }) => startSession(services, reply, await signIn(services, body, visitorOf(request, services))),
    // The database counts failures; this only protects it from a flood. One request is hashed while the next is looked up.
    {
      perMinute: 60,
      atOnce: hashedAtOnce + 1,
      apart: ({ body, request }) => knownUser(services, request, async () => (await findByLogin(services.db, body.login))?.userId),
    },
  );

  const panelOrigin = new URL(services.publicUrl).origin;
  mount(
    routes.logOut,
    async ({ request, reply, address }) => {
      refuseForeignLogout(request.headers, panelOrigin);
      const token = sessionToken(request, services.cookie);
      if (token) await endSession(services, token, address);
      clearSessionCookie(reply, services.cookie);
    },
    { head: async ({ request }) => refuseForeignLogout(request.headers, panelOrigin) },
  );
}

/**
 * A documented GET, which an image in a workspace's page could request: browsers say where a request comes from. The panel's own page may
 * be on another origin than the API.
 */
function refuseForeignLogout({ origin, authorization, ...headers }: IncomingHttpHeaders, panelOrigin: string): void {
  const site = headers["sec-fetch-site"];
  const isForeign = (site === "cross-site" || site === "same-site") && origin !== panelOrigin;
  if (isForeign && !authorization) throw new AppError("cross_origin", { internal: `logout from ${site}` });
}
