/**
 * A workspace's page is same-site with the panel (it lives on a sub-domain), so SameSite does not stop it from
 * sending the panel's cookie. Every call that changes something with the cookie must therefore come from the
 * panel's own origin. That page cannot read the answers of other calls, since CORS headers name at most the panel, but it
 * could still cause work: hold event streams open, query providers, create links. So if a browser says that another
 * site's page makes the request, and it is not a followed link, reading is refused as well.
 */
import type { FastifyRequest } from "fastify";
import { AppError } from "../app-error.ts";
import { bearerToken } from "./session-cookie.ts";

const reading = new Set(["GET", "HEAD", "OPTIONS"]);

/** Throws AppError `cross_origin`, unless a page of one of `callers` makes the request. Requests without a cookie, or with a bearer token, contain nothing that a browser adds automatically. */
export function refuseCrossOrigin(request: FastifyRequest, callers: ReadonlySet<string>): void {
  if (bearerToken(request)) return;
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  // A browser names the page's origin in every call to another one, and no page can choose what it says.
  if (origin !== undefined && callers.has(origin)) return;
  if (reading.has(request.method)) return refuseForeignRead(site, request.headers["sec-fetch-mode"]);
  if (origin === undefined && site === undefined && request.headers.cookie === undefined) return;
  throw new AppError("cross_origin", { internal: `origin ${origin ?? "absent"}` });
}

/** Old browsers and programs send neither header; they cannot be told apart, so they pass. */
function refuseForeignRead(site: string | string[] | undefined, mode: string | string[] | undefined): void {
  const isForeign = site === "same-site" || site === "cross-site";
  if (isForeign && mode !== "navigate") throw new AppError("cross_origin", { internal: `read from ${site}` });
}
