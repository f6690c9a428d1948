/** The last step of every way to sign in (cookie, token and user), and how a session is ended. */
import type { FastifyReply } from "fastify";
import type { User } from "#contract/accounts/account.ts";
import { closeSession, sessionLivesMs, type SessionOpening } from "#domain/accounts/sessions/session-store.ts";
import { AppError } from "#platform/app-error.ts";
import { setBrowserCookie } from "#platform/http/browser-cookie.ts";
import { setSessionCookie } from "#platform/http/session-cookie.ts";
import { currentUserView } from "./current-user-view.ts";
import type { Services } from "../services.ts";
import type { UserServices } from "./read-session.ts";
import { writeAuditOf } from "#domain/audit/audit-store.ts";

/** A session that was just opened. */
export interface OpenedSession {
  token: string;
  openedBy: SessionOpening;
  /** The token by which the browser is recognized next time; null: it is not remembered. */
  browser: string | null;
}

/**
 * Sets the cookies of a session that was just opened and returns its user. The browser's previous session
 * ends: no token that was in a browser before signing in stays valid.
 */
export async function startSession(
  services: UserServices,
  reply: FastifyReply,
  { token, openedBy, browser }: OpenedSession,
): Promise<{ token: string; user: User }> {
  const current = await services.findCurrentUser(token);
  // Ended as soon as it was opened: the password was reset, or the user signed out everywhere.
  if (!current) throw new AppError("session_expired");
  const before = reply.request.cookies[services.cookie.name];
  if (before) await endSession(services, before, reply.request.ip);
  setSessionCookie(reply, services.cookie, token, sessionLivesMs[openedBy]);
  if (browser !== null) setBrowserCookie(reply, services, browser);
  return { token, user: currentUserView(current, services) };
}

/** Ends the session of this token, on the record; an unknown token is ignored. */
export async function endSession({ db, clock }: Services, token: string, address: string): Promise<void> {
  await db.transaction(async (tx) => {
    const closed = await closeSession(tx, token);
    if (closed)
      await writeAuditOf(tx, closed.userId, { action: "session.closed", before: { openedBy: closed.openedBy }, address }, clock.now());
  });
}
