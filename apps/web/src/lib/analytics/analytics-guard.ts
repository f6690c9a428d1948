/** Identifies the user and records the page they arrive at. It blocks nobody. */
import type { MiddlewareFunction } from "react-router";
import { knownUser } from "../session/session.ts";
import { analytics, knownPerson } from "./analytics.ts";

/** Around all other guards, so that it hears of pages arrived at and not of those a guard turned away from. */
export const analyticsGuard: MiddlewareFunction = async ({ request }, next) => {
  const results: unknown = await next();
  if (isRedirect(results)) return;
  const user = knownUser();
  analytics.identify(user ? knownPerson(user) : null);
  // The path alone: what follows may hold the secrets of e-mailed links.
  analytics.page(new URL(request.url).pathname);
};

/** What the router hands back: a result for each route, a redirect being an error that is a Response. */
function isRedirect(results: unknown): boolean {
  return Object.values((results ?? {}) as object).some((found: unknown) => {
    const value = (found as { result?: unknown } | null)?.result;
    return value instanceof Response && value.status >= 300 && value.status < 400;
  });
}
