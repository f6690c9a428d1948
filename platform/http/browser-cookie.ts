/** The cookie by which a browser is recognized that has signed in before. It opens nothing: it only keeps strangers' attempts apart. */
import { createHmac, timingSafeEqual } from "node:crypto";
import "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Secrets } from "../secrets.ts";
import { isNamedOnce, type SessionCookie } from "./session-cookie.ts";

/** Half a year, counted from each sign-in: as long as a browser is remembered. */
export const knownBrowserDays = 180;

/** With the session cookie's prefix on https, and for the same reason. */
const nameOf = ({ secure }: SessionCookie): string => (secure ? "__Host-slipway-browser" : "slipway-browser");

/** Keeps the token in the browser, signed. */
export function setBrowserCookie(
  reply: FastifyReply,
  { cookie, secrets }: { cookie: SessionCookie; secrets: Secrets },
  token: string,
): void {
  reply.setCookie(nameOf(cookie), `${token}.${signature(secrets, token)}`, {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: cookie.secure,
    maxAge: knownBrowserDays * 24 * 3600,
  });
}

/**
 * The cookie's token, or null without a cookie that this service signed. A forged one costs no look-up; of two with our name, one was
 * planted by a workspace's page, so neither counts.
 */
export function browserToken(request: FastifyRequest, { cookie, secrets }: { cookie: SessionCookie; secrets: Secrets }): string | null {
  const name = nameOf(cookie);
  const value = isNamedOnce(request.headers.cookie, name) ? request.cookies[name] : undefined;
  if (value === undefined || value.length > 200) return null;
  const [token = "", signed = "", ...rest] = value.split(".");
  if (token === "" || rest.length > 0) return null;
  const isOurs = (by: Secrets | null): boolean => {
    if (!by) return false;
    const right = Buffer.from(signature(by, token));
    const given = Buffer.from(signed);
    return given.length === right.length && timingSafeEqual(given, right);
  };
  return isOurs(secrets) || isOurs(secrets.previous) ? token : null;
}

const signature = (secrets: Secrets, token: string): string =>
  createHmac("sha256", secrets.derive("sign:known-browser")).update(token).digest("base64url");
