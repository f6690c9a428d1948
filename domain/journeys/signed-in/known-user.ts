/** Finds the user for whom a caller's browser is known: their calls do not wait among strangers' (decision 0198). */
import type { FastifyRequest } from "fastify";
import { findKnownUsers } from "#domain/accounts/sessions/known-browser-store.ts";
import { browserToken } from "#platform/http/browser-cookie.ts";
import type { Services } from "../services.ts";

/**
 * The id of the user whom `findUserId` finds, if they have signed in with this browser; without `findUserId`, of the first who has. Null
 * for a stranger, and without a look-up for a cookie that this service did not sign. The user is only looked up for a browser that is known
 * to someone, as in `countKnownBrowser`.
 */
export async function knownUser(
  services: Pick<Services, "db" | "clock" | "cookie" | "secrets">,
  request: FastifyRequest,
  findUserId?: () => Promise<string | undefined>,
): Promise<string | null> {
  const token = browserToken(request, services);
  if (token === null) return null;
  const [first, ...others] = await findKnownUsers(services.db, token, services.clock.now());
  if (first === undefined) return null;
  if (!findUserId) return first.userId;
  const userId = await findUserId();
  return userId !== undefined && [first, ...others].some((known) => known.userId === userId) ? userId : null;
}
