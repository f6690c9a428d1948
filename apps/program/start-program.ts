/** Starts the roles of this process in the order of their dependencies, and stops them in reverse. */
import { createWorkspaceWatch } from "#domain/journeys/watch-workspace/workspace-watch.ts";
import { setTimeout as delay } from "node:timers/promises";
import { secondMs } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import { createDriver } from "./choices/create-driver.ts";
import { createEnding, type Ending, type EndOptions } from "./ending.ts";
import { openFrontDoor } from "./front-door/front-door.ts";
import { hearChanges } from "./hear-changes.ts";
import { openParts } from "./parts/open-parts.ts";
import { measureService } from "./metrics/measure-service.ts";
import { serveMetrics } from "./metrics/serve-metrics.ts";
import { buildHealth, readinessOf } from "./readiness.ts";
import { startApi } from "./roles/start-api.ts";
import { startGateway } from "./roles/start-gateway.ts";
import type { Provisioner } from "./roles/start-provisioner.ts";
import { startWorker } from "./roles/start-worker.ts";
import type { Config } from "./settings/config.ts";

export interface Program {
  /** Stops every role and, with `workspaces`, the workspaces of this host too. */
  stop(options: EndOptions): Promise<void>;
}

/** How long requests in hand may take when a supervisor ends the process: less than the 30 s that Kubernetes waits by default. */
const finishMs = 15 * secondMs;

/** Resolves once every role of this process runs. Throws StartTrouble after cleaning up. */
export async function startProgram(config: Config, log: Log): Promise<Program> {
  const ending = createEnding(log);
  try {
    const { leave } = await startRoles(config, log, ending);
    return {
      async stop(options) {
        leave();
        // A person who stops the workspaces too wants an immediate end, and no load balancer sends requests to a worker.
        const isServing = config.roles.has("api") || config.roles.has("gateway");
        if (isServing && !options.workspaces) await delay(config.drainSeconds * secondMs);
        await ending.end(options);
      },
    };
  } catch (error) {
    await ending.end({ workspaces: false });
    throw error;
  }
}

async function startRoles(config: Config, log: Log, ending: Ending): Promise<{ leave(): void }> {
  const { roles } = config;
  const parts = await openParts(config, log, ending);
  const watch = createWorkspaceWatch();
  let ready = false;
  let provisioner: Provisioner | null = null;
  const troubles = () => [
    ...(provisioner?.hostTroubles() ?? []).map((kind) => `host: ${kind}`),
    ...parts.rounds.standing().map((loop) => `loop: ${loop}`),
  ];
  const checkReadiness = readinessOf(parts.db, () => ready, troubles);

  // Before the gateway: in a copied data folder the driver forgets the addresses of the original's workspaces.
  const driver = roles.has("worker") ? await createDriver(parts) : null;
  const gateway = roles.has("gateway") ? startGateway(parts) : null;
  if (gateway) ending.add(() => gateway.close());
  const api = roles.has("api") ? await startApi(parts, watch, checkReadiness) : null;
  const health = api ?? (await buildHealth(checkReadiness));
  ending.add(() => health.close());

  if (parts.metrics) {
    const { registry } = parts.metrics;
    const served = await serveMetrics({ registry, refresh: measureService(registry, parts, { troubles }) }, config.metrics!, log);
    ending.add(() => served.close());
  }
  const { panelHost, port, hosts } = config;
  const door = await openFrontDoor({ panelHost, port, hosts, api, health, gateway, log });
  ending.add(({ workspaces }) => door.close(workspaces ? 0 : finishMs));
  ending.add(async () => watch.close());

  provisioner = driver && (await startWorker(parts, driver, ending));
  const changes = await hearChanges(parts, { gateway, provisioner, watch });
  ending.add(() => changes.close());
  ready = true;
  return {
    leave() {
      ready = false;
      door.leave();
    },
  };
}
