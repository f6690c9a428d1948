/**
 * A workspace's page is same-site with the panel (it lives on a sub-domain), so SameSite does not stop it from
 * sending the panel's cookie. Every call that changes something with the cookie must therefore come from the
 * panel's own origin. What only reads cannot be read by that page, which has no CORS headers to go by, but it could
 * still be made to work: hold event streams open, ask providers, hand out links. So where a browser says that another
 * site's page asks, and nobody follows a link, reading is refused as well.
 */
import type { FastifyRequest } from "fastify";
import { AppError } from "../app-error.ts";
import { bearerToken } from "./session-cookie.ts";

const reading = new Set(["GET", "HEAD", "OPTIONS"]);

/** Throws AppError `cross_origin`. Requests without a cookie, or with a bearer token, carry nothing a browser added by itself. */
export function refuseCrossOrigin(request: FastifyRequest, publicOrigin: string): void {
  if (bearerToken(request)) return;
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (reading.has(request.method)) return refuseForeignRead(site, request.headers["sec-fetch-mode"]);
  if (origin === undefined && site === undefined && request.headers.cookie === undefined) return;
  if (origin !== publicOrigin) throw new AppError("cross_origin", { internal: `origin ${origin ?? "absent"}` });
}

/** Old browsers and programs send neither header, and are no page's tool or cannot be told apart. */
function refuseForeignRead(site: string | string[] | undefined, mode: string | string[] | undefined): void {
  const isForeign = site === "same-site" || site === "cross-site";
  if (isForeign && mode !== "navigate") throw new AppError("cross_origin", { internal: `read from ${site}` });
}
