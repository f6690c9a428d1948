/** The session cookie, and how a request's bearer token is found. */
import "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";

export interface SessionCookie {
  name: string;
  secure: boolean;
}

/**
 * Tenants' pages live on sub-domains of the panel and may set cookies for the parent domain: on https the
 * `__Host-` prefix makes the browser refuse such a cookie under our name.
 */
export const sessionCookie = (secure: boolean): SessionCookie => ({ name: secure ? "__Host-token" : "token", secure });

/**
 * A marker beside the session cookie, which no script can read: it only says that there is a session, so that a first visit to a public
 * page makes no call that would be refused, and a return visit makes it. Planting it causes one such call and nothing else.
 */
export const sessionMark = "slipway-signed-in";

/** 30 days, the longest lifetime of a session. */
const longestSessionSeconds = 30 * 24 * 3600;

const attributes = (cookie: SessionCookie) => ({ path: "/", httpOnly: true, sameSite: "lax", secure: cookie.secure }) as const;

/** Keeps the token in the browser for `lifeMs` milliseconds. */
export function setSessionCookie(reply: FastifyReply, cookie: SessionCookie, token: string, lifeMs: number): void {
  reply.setCookie(cookie.name, token, { ...attributes(cookie), maxAge: Math.floor(lifeMs / 1000) });
  reply.setCookie(sessionMark, "1", { ...attributes(cookie), httpOnly: false, maxAge: Math.floor(lifeMs / 1000) });
}

/** Restores the marker beside a session cookie that has lost it, or is older than it. The first answer without a session removes it. */
export function restoreSessionMark(request: FastifyRequest, reply: FastifyReply, cookie: SessionCookie): void {
  if (bearerToken(request) || request.cookies[sessionMark] !== undefined) return;
  reply.setCookie(sessionMark, "1", { ...attributes(cookie), httpOnly: false, maxAge: longestSessionSeconds });
}

/** Removes it. */
export function clearSessionCookie(reply: FastifyReply, cookie: SessionCookie): void {
  reply.clearCookie(cookie.name, attributes(cookie));
  reply.clearCookie(sessionMark, { ...attributes(cookie), httpOnly: false });
}

/** The token of `Authorization: Bearer …`, else the cookie's, else undefined. */
export function sessionToken(request: FastifyRequest, cookie: SessionCookie): string | undefined {
  return bearerToken(request) ?? (isNamedOnce(request.headers.cookie, cookie.name) ? request.cookies[cookie.name] : undefined);
}

/**
 * Two cookies of our name: one was planted for the parent domain by a workspace's page, which only http allows.
 * They cannot be told apart, and acting in the attacker's account is worse than being signed out.
 */
export function isNamedOnce(header: string | undefined, name: string): boolean {
  if (header === undefined || header.indexOf(name) === header.lastIndexOf(name)) return true;
  return header.split(";").filter((pair) => pair.split("=", 1)[0]!.trim() === name).length === 1;
}

/** The token of `Authorization: Bearer …`. */
export function bearerToken(request: FastifyRequest): string | undefined {
  const [scheme, token] = (request.headers.authorization ?? "").split(" ");
  return scheme?.toLowerCase() === "bearer" && token ? token : undefined;
}
