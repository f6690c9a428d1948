/** The gateway over the workspaces of the database. */
import { randomUUID } from "node:crypto";
import { saveGatewayCounts } from "#domain/usage/check-store.ts";
import { prepareRouteLookup, type RouteFacts } from "#domain/workspaces/workspace-store.ts";
import { systemClock } from "#platform/clock.ts";
import { createGateway, type Gateway } from "../../gateway/create-gateway.ts";
import { startExecutionCounts } from "../../gateway/execution-counts.ts";
import type { GatewayRoute } from "../../gateway/routes/gateway-route.ts";
import type { Parts } from "../parts/open-parts.ts";

/** The gateway's clock for executions is the machine's, as in workspaces: days are theirs. */
export function startGateway({ config, db, clock, secrets, engine, log, rounds }: Parts): Gateway {
  const lookUp = prepareRouteLookup(db);
  const run = randomUUID();
  const { executionSign: sign } = engine;
  const save = (counts: Parameters<typeof saveGatewayCounts>[2]) => saveGatewayCounts(db, run, counts);
  const executions = sign ? startExecutionCounts({ sign, save, clock: systemClock, log, rounds }) : null;
  const gateway = createGateway({
    lookUp: async (accountName) => {
      const facts = await lookUp(accountName);
      return facts && gatewayRoute(facts);
    },
    panelUrl: config.publicUrl,
    publicScheme: config.secure ? "https" : "http",
    probeToken: secrets.derive("gateway probe").toString("base64url"),
    trustedProxyHops: config.trustedProxyHops,
    log,
    clock,
    executions,
  });
  return {
    ...gateway,
    async close() {
      await gateway.close();
      await executions?.stop();
    },
  };
}

/** A deleted workspace is unknown again; one that may be entered is online, whatever else is still to be written down. */
export function gatewayRoute(facts: RouteFacts): GatewayRoute | null {
  if (facts.desiredState === "deleted") return null;
  const { workspaceId, address } = facts;
  if (facts.desiredState === "stopped")
    return { workspaceId, state: "stopped", stoppedBecause: stoppedBecause(facts), address: null, open: false };
  const open = facts.gatewayOpen && address !== null;
  const state = open ? "online" : facts.observedState === "offline" ? "offline" : "starting";
  return { workspaceId, state, address, open, ...(facts.reason ? { reason: facts.reason } : {}) };
}

/** Workspaces are stopped by what became of their subscription, so that is the cause. */
function stoppedBecause({ subscription, isTrial }: RouteFacts): GatewayRoute["stoppedBecause"] {
  if (subscription === "paused") return "paused";
  if (subscription !== "deleted") return undefined;
  return isTrial ? "trial-ended" : "ended";
}
