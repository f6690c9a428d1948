/** Who is calling: a visitor about to sign in, or a signed-in user whose change is recorded. */
import type { FastifyRequest } from "fastify";
import { requestedLanguage, type Language } from "#contract/accounts/language.ts";
import { describeDevice } from "#domain/accounts/sessions/describe-device.ts";
import type { Actor } from "#domain/billing/billing.ts";
import type { CurrentUser } from "./current-user-query.ts";

export interface Visitor {
  /** For limits, the audit log and the list of sessions. */
  address: string;
  /** Browser and system in the product's words, for the list of sessions. */
  device: string | null;
  /** Null: English. */
  language: Language | null;
}

/** Reads the caller from the request. */
export const visitorOf = (request: FastifyRequest): Visitor => ({
  address: request.ip,
  device: describeDevice(request.headers["user-agent"]),
  language: requestedLanguage(request.headers),
});

/** Who made a change, for the audit log. */
export const actorOf = (signedIn: CurrentUser, address: string): Actor => ({ userId: signedIn.userId, address });
