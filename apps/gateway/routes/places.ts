/** How many places a workspace has for which of its requests. */
import type { GatewayLimits } from "../gateway-limits.ts";
import type { GatewayRoute } from "./gateway-route.ts";

/**
 * Beside its calls, for the bodies of all other requests: an n8n reads those of its editor and of its sign-in page before it asks who sends
 * them. They are places of their own, so that a storm of calls does not keep the owner out.
 */
const shareForOthers = 0.25;
/** Where each request may be a call: the rest is for event streams and WebSockets, which take no places. */
const shareForRequests = 0.5;

interface Kind {
  isCall: boolean;
  /** Otherwise all requests are alike, and have all places. */
  knowsCalls: boolean;
  limits: Pick<GatewayLimits, "maxInFlight">;
}

/** The places for such a request: the key of its queue, their number, and what one takes beside its body. */
export function placesFor(route: GatewayRoute, { isCall, knowsCalls, limits }: Kind): { key: string; atOnce: number; each: number } {
  const all = route.callsAtOnce ?? limits.maxInFlight;
  if (isCall) return { key: route.workspaceId, atOnce: all, each: 1 };
  if (!knowsCalls) return { key: route.workspaceId, atOnce: all, each: all / (limits.maxInFlight * shareForRequests) };
  const atOnce = Math.max(1, all * shareForOthers);
  return { key: `${route.workspaceId} others`, atOnce, each: atOnce / limits.maxInFlight };
}
