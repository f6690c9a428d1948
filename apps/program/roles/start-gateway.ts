/** The gateway over the workspaces of the database. */
import { randomUUID } from "node:crypto";
import { saveGatewayCounts } from "#domain/usage/check-store.ts";
import { prepareRouteLookup, type RouteFacts } from "#domain/workspaces/workspace-store.ts";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import type { Config } from "../settings/config.ts";
import { createGateway, type Gateway } from "../../gateway/create-gateway.ts";
import { startExecutionCounts, type ExecutionSign } from "../../gateway/execution-counts.ts";
import type { GatewayRoute } from "../../gateway/routes/gateway-route.ts";

export interface GatewayParts {
  config: Config;
  db: Database;
  clock: Clock;
  /** The machine's own, as in workspaces: days are theirs. */
  machineClock: Clock;
  log: Log;
  probeToken: string;
  /** Of the engine; undefined: executions are not counted here. */
  executionSign: ExecutionSign | undefined;
  rounds: Rounds;
}

export function startGateway({ config, db, clock, machineClock, log, probeToken, executionSign, rounds }: GatewayParts): Gateway {
  const lookUp = prepareRouteLookup(db);
  const run = randomUUID();
  const executions = executionSign
    ? startExecutionCounts({ sign: executionSign, save: (counts) => saveGatewayCounts(db, run, counts), clock: machineClock, log, rounds })
    : null;
  const gateway = createGateway({
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
