/** The gateway, with routes from the database. */
import { randomUUID } from "node:crypto";
import { saveGatewayCounts } from "#domain/usage/check-store.ts";
import { noteVisits } from "#domain/workspaces/observed/due-store.ts";
import { mainHost } from "#domain/workspaces/hosts/host-names.ts";
import { prepareSleepingCallLookup } from "#domain/workspaces/webhooks/sleeping-webhooks.ts";
import { addWebhookCalls } from "#domain/workspaces/webhooks/webhook-store.ts";
import { recordUse } from "#domain/workspaces/observed/sleep-store.ts";
import { prepareRouteLookup, type RouteFacts } from "#domain/workspaces/workspace-store.ts";
import { systemClock } from "#platform/clock.ts";
import { createLineKeys } from "#platform/lines/line-keys.ts";
import { createGateway, type Gateway } from "../../gateway/create-gateway.ts";
import { startExecutionCounts } from "../../gateway/execution-counts.ts";
import { startVisits } from "../../gateway/visits.ts";
import { startWebhookCounts } from "../../gateway/webhook-counts.ts";
import type { GatewayRoute } from "../../gateway/routes/gateway-route.ts";
import { placeMb } from "../../gateway/routes/weigh-body.ts";
import type { Parts } from "../parts/open-parts.ts";
import { createRefuseCall } from "./refuse-call.ts";

/** Executions are counted by the machine's clock, as in workspaces, so that both agree on the day. */
export function startGateway({ config, db, clock, secrets, engine, log, rounds, metrics, tracer }: Parts): Gateway {
  const lookUp = prepareRouteLookup(db);
  const run = randomUUID();
  const { executionSign: sign, webhookPath: path, callPath } = engine;
  const save = (counts: Parameters<typeof saveGatewayCounts>[2]) => saveGatewayCounts(db, run, counts);
  const executions = sign ? startExecutionCounts({ sign, save, clock: systemClock, log, rounds }) : null;
  const visits = startVisits({ save: (ids) => noteVisits(db, ids, clock.now()), log, rounds });
  const webhooks = path ? startWebhookCounts({ path, add: (seen) => addWebhookCalls(db, seen, clock.now()), log, rounds }) : null;
  const gateway = createGateway({
    lookUp: async (accountName) => {
      const facts = await lookUp(accountName);
      return facts && gatewayRoute(facts, config.hostName);
    },
    panelUrl: config.publicUrl,
    publicScheme: config.secure ? "https" : "http",
    probeToken: secrets.derive("gateway probe").toString("base64url"),
    passToken: secrets.derive("gateway pass").toString("base64url"),
    lineKeys: createLineKeys(secrets),
    trustedProxyHops: config.trustedProxyHops,
    log,
    clock,
    executions,
    visits,
    webhooks,
    ...(callPath && { isCall: (method: string, url: string) => callPath.test(url) && method !== "OPTIONS" }),
    editorListens: engine.editorListens,
    // Where webhooks have no form of their own, any path may be one.
    mayRepeat: (url) => path !== undefined && !path.test(url),
    onAnswered: metrics && metrics.passed,
    tracer,
    // Independent of this process's setting: another process's worker may let workspaces sleep.
    sleep: engine.sleep
      ? {
          ...engine.sleep,
          record: (ids) => recordUse(db, ids, clock.now()),
          ...(engine.sleep.calls && { refuseCall: createRefuseCall(engine.sleep.calls, prepareSleepingCallLookup(db)) }),
        }
      : null,
  });
  metrics?.follow(gateway);
  return {
    ...gateway,
    async close() {
      await gateway.close();
      await Promise.all([executions?.stop(), visits.stop(), webhooks?.stop()]);
    },
  };
}

const fewestCalls = 8;

/**
 * A deleted workspace is unknown. One with an open gateway is online, even if its observed state is not written yet. `host` is the
 * gateway's own: a request for another host's workspace is passed on to that host's gateway, which knows whether it sleeps, starts or is
 * offline.
 */
export function gatewayRoute(facts: RouteFacts, host: string = mainHost): GatewayRoute | null {
  if (facts.desiredState === "deleted") return null;
  const { workspaceId, address } = facts;
  if (facts.desiredState === "stopped")
    return { workspaceId, state: "stopped", stoppedBecause: stoppedBecause(facts), address: null, open: false };
  if (facts.host !== null && facts.host !== host) {
    const { hostAddress, isHostSilent } = facts;
    if (hostAddress === null) return { workspaceId, state: "offline", address: null, open: false };
    return { workspaceId, state: "online", address: hostAddress, open: true, elsewhere: isHostSilent ? "silent" : "heard" };
  }
  const open = facts.gatewayOpen && address !== null;
  if (facts.asleepSince && facts.coldSince) return { workspaceId, state: "asleep", isCold: true, address: null, open: false };
  if (open && facts.asleepSince) return { workspaceId, state: "asleep", address, open };
  const state = open ? "online" : facts.observedState === "offline" ? "offline" : "starting";
  const isCold = facts.coldSince !== null && state === "starting";
  const percent = state === "starting" ? facts.progressPercent : null;
  const callsAtOnce = Math.max(fewestCalls, Math.floor(facts.memoryMb / placeMb));
  return {
    workspaceId,
    state,
    address,
    open,
    callsAtOnce,
    ...(isCold && { isCold }),
    ...(percent !== null && { percent }),
    ...(facts.reason ? { reason: facts.reason } : {}),
  };
}

/** A workspace is only ever stopped because of a suspension or its subscription, so these give the cause. */
function stoppedBecause({ subscription, isTrial, isSuspended }: RouteFacts): GatewayRoute["stoppedBecause"] {
  if (isSuspended) return "suspended";
  if (subscription === "paused") return "paused";
  if (subscription !== "deleted") return undefined;
  return isTrial ? "trial-ended" : "ended";
}
