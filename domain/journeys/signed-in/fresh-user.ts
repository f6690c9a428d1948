/** The user as a change has left them. */
import type { FastifyRequest } from "fastify";
import type { User } from "#contract/accounts/account.ts";
import { AppError } from "#platform/app-error.ts";
import { sessionToken } from "#platform/http/session-cookie.ts";
import type { FindCurrentUser } from "./current-user-query.ts";
import { currentUserView } from "./current-user-view.ts";
import type { Services } from "../services.ts";

export type UserServices = Services & { findCurrentUser: FindCurrentUser };

/** Reads the signed-in person anew; a session that ended meanwhile is over. */
export async function freshUser(services: UserServices, request: FastifyRequest): Promise<User> {
  const current = await services.findCurrentUser(sessionToken(request, services.cookie) ?? "");
  if (!current) throw new AppError("session_expired");
  return currentUserView(current, services.publicUrl);
}
