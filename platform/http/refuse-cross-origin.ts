/**
 * A workspace's page is same-site with the panel (it lives on a sub-domain), so SameSite does not stop it from
 * sending the panel's cookie. Every call that changes something with the cookie must therefore come from the
 * panel's own origin.
 */
import type { FastifyRequest } from "fastify";
import { AppError } from "../app-error.ts";
import { bearerToken } from "./session-cookie.ts";

const reading = new Set(["GET", "HEAD", "OPTIONS"]);

/** Throws AppError `cross_origin`. Requests without a cookie, or with a bearer token, carry nothing a browser added by itself. */
export function refuseCrossOrigin(request: FastifyRequest, publicOrigin: string): void {
  if (reading.has(request.method) || bearerToken(request)) return;
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (origin === undefined && site === undefined && request.headers.cookie === undefined) return;
  if (origin !== publicOrigin) throw new AppError("cross_origin", { internal: `origin ${origin ?? "absent"}` });
}
