/** Reads the signed-in user from a request, for calls that need no session and for those that have just changed the user. */
import type { FastifyRequest } from "fastify";
import { sessionToken } from "#platform/http/session-cookie.ts";
import type { Services } from "../services.ts";
import type { CurrentUser, FindCurrentUser } from "./current-user-query.ts";
import type { User } from "#contract/accounts/account.ts";
import { AppError } from "#platform/app-error.ts";
import { currentUserView } from "./current-user-view.ts";

export type UserServices = Services & { findCurrentUser: FindCurrentUser };

/** The caller, or null without a live session. */
export async function readSession({ cookie, findCurrentUser }: UserServices, request: FastifyRequest): Promise<CurrentUser | null> {
  const token = sessionToken(request, cookie);
  return token === undefined ? null : findCurrentUser(token);
}

/** The signed-in user after a change. Throws AppError `session_expired` if the session has ended since. */
export async function freshUser(services: UserServices, request: FastifyRequest): Promise<User> {
  const current = await services.findCurrentUser(sessionToken(request, services.cookie) ?? "");
  if (!current) throw new AppError("session_expired");
  return currentUserView(current, services);
}
