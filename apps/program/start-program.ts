/** Starts the roles of this process in the order of their dependencies, and stops them in reverse. */
import { createOutputWatch } from "#domain/journeys/look-into-workspace/output-watch.ts";
import { createWorkspaceWatch } from "#domain/journeys/watch-workspace/workspace-watch.ts";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { secondMs } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import { acquireWorkspaces, type HeldLock } from "#platform/postgres/server/data-folder-lock.ts";
import type { Driver } from "../provisioner/drivers/driver.ts";
import { openAlarmChannels } from "./alarms/open-channels.ts";
import { createLocalAlarm } from "./alarms/local-alarm.ts";
import { reportStart } from "./alarms/report-start.ts";
import { startAlarms } from "./alarms/start-alarms.ts";
import { serveAsks } from "./certificates/serve-asks.ts";
import { createDriver, drivers } from "./choices/create-driver.ts";
import type { Gateway } from "../gateway/create-gateway.ts";
import { followDatabase } from "./database-contact.ts";
import { createEnding, type Ending, type EndOptions } from "./ending.ts";
import { openFrontDoor } from "./front-door/front-door.ts";
import { explainStart } from "./explain-start.ts";
import { hearChanges, type Hearing } from "./hear-changes.ts";
import { claimHostFolder } from "./parts/claim-host-folder.ts";
import { fenceWriting } from "./parts/fence-writing.ts";
import { endWhenLost, openParts, type Parts } from "./parts/open-parts.ts";
import { measureService } from "./metrics/measure-service.ts";
import { serveMetrics } from "./metrics/serve-metrics.ts";
import { buildHealth, readinessOf } from "./readiness.ts";
import { startApi } from "./roles/start-api.ts";
import { startGateway } from "./roles/start-gateway.ts";
import type { Provisioner } from "./roles/start-provisioner.ts";
import { startWorker } from "./roles/start-worker.ts";
import { isAllInOne, type Config } from "./settings/config.ts";

export interface Program {
  /** Stops every role and, with `workspaces`, the workspaces of this host too, if this process is the whole service. */
  stop(options: EndOptions): Promise<void>;
}

/** How long requests in progress may take when a supervisor ends the process: less than the 30 s that Kubernetes waits by default. */
const finishMs = 15 * secondMs;

/**
 * Resolves once every role of this process runs. Throws StartTrouble after cleaning up, or StartStopped if it is `stopped` while it waits.
 */
export async function startProgram(config: Config, log: Log, stopped?: AbortSignal): Promise<Program> {
  const ending = createEnding(log);
  try {
    const { leave, isOnlyProgram } = await startRoles(config, log, ending, stopped);
    void reportStart(config, log, null);
    return {
      async stop(options) {
        leave();
        const workspaces = options.workspaces && isAllInOne(config) && (await isOnlyProgram());
        if (options.workspaces && !workspaces) log.warn("workspaces keep running: this process is not the whole service");
        // A person who also stops the workspaces wants an immediate end, and no load balancer sends requests to a worker.
        const isServing = config.roles.has("api") || config.roles.has("gateway");
        if (isServing && !workspaces) await delay(config.drainSeconds * secondMs);
        await ending.end({ workspaces });
      },
    };
  } catch (error) {
    await ending.end({ workspaces: false });
    const explained = explainStart(error, config);
    await reportStart(config, log, explained);
    throw explained;
  }
}

interface Started extends Pick<Parts, "isOnlyProgram"> {
  /** `/readyz` fails from now on, and each response ends its connection. */
  leave(): void;
}

async function startRoles(config: Config, log: Log, ending: Ending, stopped: AbortSignal | undefined): Promise<Started> {
  const { roles } = config;
  const parts = await openParts(config, log, ending, stopped);
  const watches = { watch: createWorkspaceWatch(), outputWatch: createOutputWatch() };
  let ready = false;
  let provisioner: Provisioner | null = null;
  const troubles = () => [
    ...(provisioner?.hostTroubles() ?? []).map((kind) => `host: ${kind}`),
    ...parts.rounds.standing().map((loop) => `loop: ${loop}`),
  ];
  let gateway: Gateway | null = null;
  const contact = followDatabase({ db: parts.db, log, servesFromMemory: () => gateway && gateway.servesFromMemory() });
  ending.add(async () => contact.stop());
  const checkReadiness = readinessOf(
    parts.db,
    () => ready,
    troubles,
    () => gateway && { servesFromMemory: gateway.servesFromMemory, contact },
  );

  // Before the gateway: in a copied data folder the driver forgets the addresses of the original's workspaces.
  const locks = parts.folder ? [parts.folder] : [];
  const driver = roles.has("worker") ? await openDriver(parts, ending, locks) : null;
  // Stopped after the front door, so that requests in progress can still be told where their workspace is.
  const hearing: Hearing = { gateway: null, provisioner: null, ...watches };
  const changes = await hearChanges(parts, hearing);
  ending.add(() => changes.close());
  if (roles.has("gateway")) {
    const started = startGateway(parts);
    gateway = hearing.gateway = started;
    ending.add(() => started.close());
  }
  const api = roles.has("api") ? await startApi(parts, watches, checkReadiness) : null;
  const health = api ?? (await buildHealth(checkReadiness));
  ending.add(() => health.close());

  if (parts.metrics) {
    const { registry } = parts.metrics;
    const served = await serveMetrics(
      { registry, refresh: measureService(registry, parts, { troubles, contact, gateway }) },
      config.metrics!,
      log,
    );
    ending.add(() => served.close());
  }
  const { panelHost, apiHosts, publicUrl: panelUrl, port, hosts } = config;
  if (config.certificates) {
    const asks = await serveAsks(parts, config.certificates);
    ending.add(() => asks.close());
  }
  const door = await openFrontDoor({ panelHost, apiHosts, panelUrl, port, hosts, api, health, gateway, log });
  ending.add(({ workspaces }) => door.close(workspaces ? 0 : finishMs));
  ending.add(async () => Object.values(watches).forEach((each) => each.close()));

  const fence = fenceWriting(parts.pool, locks);
  provisioner = driver && (await startWorker(parts, driver, fence.db, ending));
  ending.add(async () => fence.end());
  hearing.provisioner = provisioner;
  // Not gateways alone: in a cluster they reach nothing outside.
  const channels = roles.has("worker") || roles.has("api") ? openAlarmChannels(config, log) : null;
  if (channels) {
    const { db, clock } = parts;
    // Of several processes, workers send the alarm about the database.
    const databaseAlarm = roles.has("worker")
      ? createLocalAlarm(join(config.dataDir, "database-alarm.json"), "database-gone", channels, clock)
      : null;
    const alarms = startAlarms({ db, clock, log, channels, contact, databaseAlarm });
    ending.add(() => alarms.stop());
  }
  ready = true;
  return {
    isOnlyProgram: parts.isOnlyProgram,
    leave() {
      ready = false;
      door.leave();
    },
  };
}

/**
 * The driver of this worker's workspaces. If they run on its own host, no other worker may run them as well: that lock is added to `locks`.
 * Throws StartTrouble.
 */
async function openDriver(parts: Parts, ending: Ending, locks: HeldLock[]): Promise<Driver> {
  const { config, connection, log } = parts;
  if (drivers[config.driver].isOnThisHost) {
    claimHostFolder(config.dataDir, config.hostName);
    const workspaces = await acquireWorkspaces(connection, config.hostName);
    ending.add(() => workspaces.release());
    endWhenLost(workspaces, "the service's workspaces", log);
    locks.push(workspaces);
  }
  return createDriver(parts);
}
