/** Finds the user for whom a caller's browser is known: their calls do not wait among strangers' (decision 0198). */
import type { FastifyRequest } from "fastify";
import { findKnownUsers } from "#domain/accounts/sessions/known-browser-store.ts";
import { hashToken } from "#domain/accounts/token.ts";
import { browserToken } from "#platform/http/browser-cookie.ts";
import type { Services } from "../services.ts";

/**
 * The user whom `findUserId` finds, if they have signed in with this browser, and the browser; without `findUserId`, the first who has.
 * Empty for a stranger, and without a look-up for a cookie that this service did not sign. The user is only looked up for a browser that is
 * known to someone, as in `countKnownBrowser`.
 */
export async function knownUser(
  services: Pick<Services, "db" | "clock" | "cookie" | "secrets">,
  request: FastifyRequest,
  findUserId?: () => Promise<string | undefined>,
): Promise<readonly string[]> {
  const token = browserToken(request, services);
  if (token === null) return [];
  const known = await findKnownUsers(services.db, token, services.clock.now());
  if (known.length === 0) return [];
  const userId = findUserId ? await findUserId() : known[0]!.userId;
  return userId !== undefined && known.some((row) => row.userId === userId) ? [`user ${userId}`, `browser ${hashToken(token)}`] : [];
}
