/** Who is calling: a visitor about to sign in, or a signed-in user whose change is recorded. */
import type { FastifyRequest } from "fastify";
import { requestedLanguage, type Language } from "#contract/accounts/language.ts";
import { describeDevice } from "#domain/accounts/sessions/describe-device.ts";
import type { Actor } from "#domain/billing/billing.ts";
import { browserToken } from "#platform/http/browser-cookie.ts";
import type { Services } from "../services.ts";
import type { CurrentUser } from "./current-user-query.ts";

export interface Visitor {
  /** For limits, the audit log and the list of sessions. */
  address: string;
  /** Browser and system in the product's words, for the list of sessions. */
  device: string | null;
  /** Null: English. */
  language: Language | null;
  /** The token of a browser that has signed in before, to whichever account; null: none was shown. */
  browser: string | null;
  /** Whether it says from which page it calls, as browsers do and programs do not. */
  isBrowser: boolean;
}

/** Reads the caller from the request. */
export const visitorOf = (request: FastifyRequest, services: Pick<Services, "cookie" | "secrets">): Visitor => ({
  address: request.ip,
  device: describeDevice(request.headers["user-agent"]),
  language: requestedLanguage(request.headers),
  browser: browserToken(request, services),
  isBrowser: request.headers.origin !== undefined,
});

/** Who made a change, for the audit log. */
export const actorOf = (signedIn: CurrentUser, address: string): Actor => ({ userId: signedIn.userId, address });
