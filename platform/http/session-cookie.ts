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

const attributes = (cookie: SessionCookie) => ({ path: "/", httpOnly: true, sameSite: "lax", secure: cookie.secure }) as const;

/** Keeps the token in the browser for `lifeMs` milliseconds. */
export function setSessionCookie(reply: FastifyReply, cookie: SessionCookie, token: string, lifeMs: number): void {
  reply.setCookie(cookie.name, token, { ...attributes(cookie), maxAge: Math.floor(lifeMs / 1000) });
}

/** Removes it. */
export function clearSessionCookie(reply: FastifyReply, cookie: SessionCookie): void {
  reply.clearCookie(cookie.name, attributes(cookie));
}

/** The token of `Authorization: Bearer …`, else the cookie's, else undefined. */
export function sessionToken(request: FastifyRequest, cookie: SessionCookie): string | undefined {
  return bearerToken(request) ?? request.cookies[cookie.name];
}

/** The token of `Authorization: Bearer …`. */
export function bearerToken(request: FastifyRequest): string | undefined {
  const [scheme, token] = (request.headers.authorization ?? "").split(" ");
  return scheme?.toLowerCase() === "bearer" && token ? token : undefined;
}
