/** The same end of every way to sign in: cookie, token and the user. */
import type { FastifyReply } from "fastify";
import type { User } from "#contract/accounts/account.ts";
import { sessionLivesMs, type SessionOpening } from "#domain/accounts/session-store.ts";
import { AppError } from "#platform/app-error.ts";
import { setSessionCookie } from "#platform/http/session-cookie.ts";
import type { FindCurrentUser } from "./current-user-query.ts";
import { currentUserView } from "./current-user-view.ts";
import type { Services } from "../services.ts";
import { endSession } from "./end-session.ts";

/**
 * Sets the cookie of a session that was just opened and answers with whom it belongs to. The session that the browser
 * had before ends: no token that was in a browser before signing in is worth anything afterwards.
 */
export async function startSession(
  services: Services & { findCurrentUser: FindCurrentUser },
  reply: FastifyReply,
  token: string,
  openedBy: SessionOpening = "password",
): Promise<{ token: string; user: User }> {
  const current = await services.findCurrentUser(token);
  // Ended as soon as it was opened: the password was reset, or the person signed out everywhere.
  if (!current) throw new AppError("session_expired");
  const before = reply.request.cookies[services.cookie.name];
  if (before) await endSession(services, before, reply.request.ip);
  setSessionCookie(reply, services.cookie, token, sessionLivesMs[openedBy]);
  return { token, user: currentUserView(current, services.publicUrl) };
}
