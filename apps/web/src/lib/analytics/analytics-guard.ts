/** Identifies the user and records the page they arrive at. It never blocks a page. */
import type { MiddlewareFunction } from "react-router";
import { knownUser } from "../session/session.ts";
import { analytics, knownPerson } from "./analytics.ts";

/** Wraps all other guards, so that it records the page that is shown and not one that a guard redirected. */
export const analyticsGuard: MiddlewareFunction = async ({ request }, next) => {
  const results: unknown = await next();
  if (isRedirect(results)) return;
  const user = knownUser();
  analytics.identify(user ? knownPerson(user) : null);
  // The path alone: the query may contain the secrets of mailed links.
  analytics.page(new URL(request.url).pathname);
};

/** The router's result for each route; a redirect is an error that is a Response. */
function isRedirect(results: unknown): boolean {
  return Object.values((results ?? {}) as object).some((found: unknown) => {
    const value = (found as { result?: unknown } | null)?.result;
    return value instanceof Response && value.status >= 300 && value.status < 400;
  });
}
