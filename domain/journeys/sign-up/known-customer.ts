/** Finds the paying customer in whose browser someone registers: an agency that sets accounts up for its clients, behind a shared address. */
import type { FastifyRequest } from "fastify";
import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { subscriptions, users } from "#database/tables.ts";
import { findKnownUsers } from "#domain/accounts/sessions/known-browser-store.ts";
import { browserToken } from "#platform/http/browser-cookie.ts";
import type { Services } from "../services.ts";

/**
 * The account, if one that has signed in with this browser pays for a plan. Anyone can have a browser that is known: by registering. A paid
 * plan costs more than the accounts that it could be used for are worth. Nothing is looked up for a cookie that this service did not sign.
 */
export async function knownCustomer(
  services: Pick<Services, "db" | "clock" | "cookie" | "secrets">,
  request: FastifyRequest,
): Promise<string | null> {
  const { db, clock } = services;
  const token = browserToken(request, services);
  const known = token === null ? [] : await findKnownUsers(db, token, clock.now());
  if (known.length === 0) return null;
  const [paying] = await db
    .select({ accountId: subscriptions.accountId })
    .from(users)
    .innerJoin(subscriptions, eq(subscriptions.accountId, users.accountId))
    .where(
      and(
        inArray(
          users.id,
          known.map(({ userId }) => userId),
        ),
        eq(subscriptions.status, "active"),
        isNotNull(subscriptions.provider),
      ),
    )
    .limit(1);
  return paying?.accountId ?? null;
}
