/** The session of a call that needs none: for what is easier where its person is signed in. */
import type { FastifyRequest } from "fastify";
import { sessionToken } from "#platform/http/session-cookie.ts";
import type { Services } from "../services.ts";
import type { CurrentUser, FindCurrentUser } from "./current-user-query.ts";

/** Who asks, or null; a session that has ended is nobody. */
export async function readSession(
  { cookie, findCurrentUser }: Services & { findCurrentUser: FindCurrentUser },
  request: FastifyRequest,
): Promise<CurrentUser | null> {
  const token = sessionToken(request, cookie);
  return token === undefined ? null : findCurrentUser(token);
}
