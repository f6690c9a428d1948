/** Decides who is let into a workspace and which refusal the others get. */
import type { IncomingMessage } from "node:http";
import type { GatewayRoute } from "./routes/gateway-route.ts";
import { refusals, withReason, type Refusal } from "./refusals/refusal.ts";

/** A route with an address to connect to. */
export type ReachableRoute = GatewayRoute & { address: string };

/** Every visitor while the workspace is open and online; our own probe as soon as there is an address. */
export function isLetIn(route: GatewayRoute, isProbe: boolean): route is ReachableRoute {
  return route.address !== null && route.state !== "asleep" && (isProbe || (route.open && route.state === "online"));
}

/** Asleep, starting or about to open: a request that waits is answered in a moment. */
export const isComing = (route: GatewayRoute | null): boolean => route?.state === "asleep" || isStarting(route);

/** Starting, or online and about to open: a new workspace stays closed while its owner is being set up. */
function isStarting(route: GatewayRoute | null): boolean {
  if (route === null) return false;
  return route.state === "starting" || (route.state === "online" && (!route.open || route.address === null));
}

const stoppedRefusals = {
  suspended: refusals.suspended,
  paused: refusals.paused,
  "trial-ended": refusals.trialEnded,
  ended: refusals.ended,
} as const satisfies Record<string, Refusal>;

/** The refusal for a workspace that is not open. */
export function closedRefusal(route: GatewayRoute): Refusal {
  if (isComing(route)) return { ...withReason(route.isCold ? refusals.waking : refusals.starting, route.reason), percent: route.percent };
  if (route.state === "offline") return withReason(refusals.offline, route.reason);
  return route.stoppedBecause === undefined ? refusals.stopped : stoppedRefusals[route.stoppedBecause];
}

/** X-Forwarded-For as one list; Node joins repeated headers in order. */
export function forwardedFor(req: IncomingMessage): string | undefined {
  const value = req.headers["x-forwarded-for"];
  return Array.isArray(value) ? value.join(",") : value;
}
