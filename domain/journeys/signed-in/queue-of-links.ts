/** Options of calls that show a mailed link: they neither wait among strangers nor are counted with them (decision 0198). */
import type { FastifyRequest } from "fastify";
import { peekLink } from "#domain/accounts/links/link-token-store.ts";
import type { Services } from "../services.ts";
import { knownUser } from "./known-user.ts";

/**
 * Two calls at once for strangers, and two for known users and holders of a link that works now. The link is only looked at for counting
 * and for the order of calls: it may be used up meanwhile.
 */
export const queueOfLinks = (services: Pick<Services, "db" | "clock" | "cookie" | "secrets">, purpose: Parameters<typeof peekLink>[2]) => ({
  atOnce: 2,
  apart: ({ request }: { request: FastifyRequest }) => knownUser(services, request),
  async holder({ token }: { token: string }): Promise<string | null> {
    const link = await peekLink(services.db, token, purpose, services.clock.now());
    return link && `link of ${link.userId}`;
  },
});
