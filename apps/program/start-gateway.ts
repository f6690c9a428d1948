/** The gateway over the workspaces of the database. */
import { prepareRouteLookup, type RouteFacts } from "#domain/workspaces/workspace-store.ts";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Config } from "../config.ts";
import { createGateway, type Gateway } from "../gateway/create-gateway.ts";
import type { GatewayRoute } from "../gateway/gateway-route.ts";

export function startGateway(config: Config, db: Database, clock: Clock, log: Log, probeToken: string): Gateway {
  const lookUp = prepareRouteLookup(db);
  return createGateway({
    lookUp: async (accountName) => {
      const facts = await lookUp(accountName);
      return facts && gatewayRoute(facts);
    },
    panelUrl: config.publicUrl,
    publicScheme: config.secure ? "https" : "http",
    probeToken,
    trustedProxyHops: config.trustedProxyHops,
    log,
    clock,
  });
}

/** A deleted workspace is unknown again; one that may be entered is online, whatever else is still to be written down. */
export function gatewayRoute(facts: RouteFacts): GatewayRoute | null {
  if (facts.desiredState === "deleted") return null;
  const { workspaceId, address } = facts;
  if (facts.desiredState === "stopped") return { workspaceId, state: "stopped", address: null, open: false };
  const open = facts.gatewayOpen && address !== null;
  const state = open ? "online" : facts.observedState === "offline" ? "offline" : "starting";
  return { workspaceId, state, address, open, ...(facts.reason ? { reason: facts.reason } : {}) };
}
