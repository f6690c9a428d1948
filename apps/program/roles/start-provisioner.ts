/** Runs workspaces: installs the engine, reconciles through the driver, makes backups, and stops with or without the workspaces. */
import { join } from "node:path";
import { forgetProcesses } from "#domain/workspaces/observed/observation-store.ts";
import { leaveStopped, wakeAll } from "#domain/workspaces/observed/sleep-store.ts";
import { listOnVersions, listReleaseUses } from "#domain/workspaces/observed/release-use-store.ts";
import { createBackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import { secondMs, systemClock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { readHostMemory } from "#platform/loops/host-limits.ts";
import { createHostLoad } from "#platform/loops/host-load.ts";
import { startBackupLoop } from "../../provisioner/backups/backup-loop.ts";
import { usualRelease } from "../../provisioner/engines/releases/read-releases.ts";
import { createBackupSlots } from "../../provisioner/backups/backup-slots.ts";
import type { BackupTools } from "../../provisioner/backups/backup-tools.ts";
import { createBackups } from "../../provisioner/backups/create-backups.ts";
import { createExportWork } from "../../provisioner/exports/export-work.ts";
import type { Driver } from "../../provisioner/drivers/driver.ts";
import { rehearsedWorkspace } from "../../provisioner/engines/install/rehearsed-workspace.ts";
import { removePreparations } from "../../provisioner/engines/install/remove-preparations.ts";
import { createEngineInstalls } from "../../provisioner/engine-installs.ts";
import { createImageInstalls } from "../../provisioner/image-installs.ts";
import { keepHost, type KeptHost } from "../../provisioner/host/keep-host.ts";
import { startMovingOut } from "../../provisioner/host/move-out.ts";
import { startPool } from "../../provisioner/pool/pool-loop.ts";
import { startReconcileLoop } from "../../provisioner/reconcile/reconcile-loop.ts";
import { startRelievingMemory } from "../../provisioner/relieve-memory.ts";
import { startLooks } from "../../provisioner/looks/answer-looks.ts";
import { startMemorySampling } from "../../provisioner/looks/sample-memory.ts";
import { listEnded, startNoticingExits } from "../../provisioner/notice-exits.ts";
import { createWaker, wakeFirst } from "../../provisioner/wake-first.ts";
import { startAutomaticUpdates } from "../../provisioner/updates/automatic-updates.ts";
import { startFleetUpdates } from "../../provisioner/updates/fleet-updates.ts";
import { startHostWatch } from "../../provisioner/watch-host.ts";
import { howWorkspacesRest } from "../choices/how-workspaces-rest.ts";
import type { Config } from "../settings/config.ts";
import type { EndOptions } from "../ending.ts";
import type { Parts } from "../parts/open-parts.ts";
import { createEditorEventReporter } from "./report-editor-event.ts";
import { probeThroughGateway, doorOf } from "../front-door/probe-workspace.ts";

export interface Provisioner {
  /** This workspace's row changed. */
  changed(workspaceId: string): void;
  /** Current problems of this host. */
  hostTroubles(): string[];
  /** Reconciles what is due. */
  wake(): void;
  /** Answers requested looks at workspaces of this host. */
  look(): void;
  /** Starts the backups and exports that are due. */
  backUp(): void;
  stop(options: EndOptions): Promise<void>;
}

/** Starts all loops. Requests the newest release immediately, because its installation takes minutes. */
export async function startProvisioner(parts: Parts, driver: Driver): Promise<Provisioner> {
  const { config, db, engine, secrets, clock, log, rounds, metrics, tracer } = parts;
  // Before anything on this host is started or adopted, because its workspaces may have moved elsewhere.
  const host = await joinHost(parts, driver);
  const { proveImage } = driver;
  const installs = proveImage
    ? createImageInstalls({ db, engine, driver: { proveImage }, clock, log })
    : createEngineInstalls({ db, engine, clock, log });
  const gateway = doorOf(config, "gateway");
  const openSecrets = (encrypted: string) => JSON.parse(secrets.decrypt(encrypted, "workspace")) as Record<string, string>;

  const { sleeps, pagesOut } = howWorkspacesRest(config.workspaceSleep, engine);
  if (!sleeps) await wakeAll(db, clock.now(), host.name);
  log.info(...sleepLine(config, engine.sleep !== undefined, driver));
  const waker = createWaker({ db, clock });
  const wakingEngine = wakeFirst(engine, waker);
  const tools = backupTools(parts, { driver, engine: wakingEngine, wake: (workspaceId) => waker.wake(workspaceId), host: host.name });
  await checkStorage(tools);
  const backups = startBackupLoop(tools, [createExportWork({ ...tools, secrets, publicUrl: config.publicUrl })], rounds);
  const leaving = startMovingOut({ db, host, clock, log, rounds });
  const loop = startReconcileLoop(
    db,
    {
      engine,
      driver,
      installs,
      backups: createBackups(tools),
      clock,
      machineClock: systemClock,
      log,
      publicUrl: config.publicUrl,
      isHostBusy: createHostLoad(),
      ...(config.analytics.postHog && { reportEditorEvent: createEditorEventReporter(config.analytics.postHog, log) }),
      metrics: metrics?.reconcile,
      tracer,
      host,
      leaving,
      sleeps,
      pagesOut,
      lastBackupDays: config.lastBackupDays,
      finishMs: config.workspaceFinishSeconds * secondMs,
      readyTimeoutMs: engine.start.readyTimeoutMs,
      openSecrets,
      probeThroughGateway: (accountName, path) => probeThroughGateway(gateway, `${accountName}.${config.panelHost}`, path),
    },
    rounds,
  );
  const hostWatch = startHostWatch({ driver, db, clock, log, host: host.name, rounds });
  const looks = startLooks({ db, driver, engine: wakingEngine, wake: (id) => waker.wake(id), clock, log, host: host.name, rounds });
  const relief = sleeps ? startRelievingMemory({ db, driver, engine, clock, log, rounds }) : null;
  const sampling = startMemorySampling({ db, driver, clock, log, host: host.name, rounds });
  const updates = startAutomaticUpdates({ db, clock, log, host: host.name, engine: config.engine, releases: engine.releases, rounds });
  const fleetUpdates = startFleetUpdates({ db, engine: config.engine, clock, log, rounds });
  const unwatch = driver.watch((workspaceId) => loop.noticeExit(workspaceId));
  const exits = startNoticingExits({ db, driver, log, host: host.name, rounds, noticeExit: (id) => loop.noticeExit(id) });
  const pool = startPool({
    db,
    engine,
    driver,
    clock,
    log,
    rounds,
    host: host.name,
    isDraining: host.isDraining,
    most: config.workspacePool,
    noteWanted: (blanks) => metrics?.poolWanted(blanks),
    memoryMb: config.workspaceMemoryMb,
    publicUrl: config.publicUrl,
    readyTimeoutMs: engine.start.readyTimeoutMs,
    availableMb,
    secrets: { make: () => secrets.encrypt(JSON.stringify(engine.createSecrets()), "workspace"), open: openSecrets },
  });
  await installs.request(usualRelease(engine.releases).version);
  await nameUnknownReleases({ db, engine, log });
  keepImages({ driver, engine, log });
  const tidied = removeOldPreparations({ config, db, engine, log });

  return {
    // On a development machine a resolver on the loopback interface is usual; the log mentions it.
    hostTroubles: () => hostWatch.troubles().filter((kind) => config.production || kind !== "name servers"),
    changed: (workspaceId) => waker.changed(workspaceId),
    wake: () => loop.wake(),
    look: () => looks.wake(),
    backUp: () => backups.wake(),
    async stop({ workspaces }) {
      unwatch();
      await Promise.all([
        exits.stop(),
        hostWatch.stop(),
        looks.stop(),
        sampling.stop(),
        relief?.stop(),
        updates.stop(),
        fleetUpdates.stop(),
        pool.stop(),
        leaving.stop(),
      ]);
      await Promise.all([loop.stop(), backups.stop()]);
      await installs.stop();
      await tidied;
      await host.stop();
      if (workspaces) await stopWorkspaces(db, driver, host.name);
    },
  };
}

/** Registers this host and keeps it registered. Ends this process if an operator declares the host dead. */
function joinHost({ config, db, log, rounds }: Parts, driver: Driver): Promise<KeptHost> {
  return keepHost({
    db,
    driver,
    name: config.hostName,
    address: config.hostAddress,
    availableMb,
    onLost() {
      log.fatal({ host: config.hostName }, "an operator declared this host dead: this process exits and rejoins when it is started again");
      process.exit(1);
    },
    log,
    rounds,
  });
}

const availableMb = (): number => readHostMemory().availableMb;

function backupTools(
  { config, db, backupStorage, secrets, clock, log, tracer }: Parts,
  here: Pick<BackupTools, "driver" | "engine" | "wake" | "host">,
): BackupTools {
  return {
    ...here,
    db,
    storage: backupStorage,
    keys: createBackupKeys(secrets, secrets.previous ? [secrets.previous] : []),
    slots: createBackupSlots(),
    clock,
    log,
    tracer,
    stagingDir: join(config.dataDir, "staging"),
    lastBackupDays: config.lastBackupDays,
    stagingFloorMb: config.hostDiskFloorMb / 2,
  };
}

/** The images of every release that a workspace may be given, so that no start or update has to pull one. */
function keepImages({ driver, engine, log }: Pick<Parts, "engine" | "log"> & { driver: Driver }): void {
  const images = engine.releases.flatMap(({ version }) => engine.runSpec(rehearsedWorkspace(engine), version).image ?? []);
  void driver.keepImages?.(images).catch((err: unknown) => log.warn({ err }, "the workspace images could not be pulled to the nodes"));
}

/** A release that left the repository runs as long as it is installed; an operator has to bring it back, or move its workspaces on. */
export async function nameUnknownReleases({ db, engine, log }: Pick<Parts, "db" | "engine" | "log">): Promise<void> {
  const known = new Set(engine.releases.map(({ version }) => version));
  const releases = (await listReleaseUses(db)).filter((use) => use.engine === engine.name && !known.has(use.version));
  if (releases.length === 0) return;
  const versions = releases.map(({ version }) => version);
  const held = await listOnVersions(db, engine.name, versions);
  log.error({ event: "unknown-releases", versions, workspaces: held }, "workspaces are on releases that this program does not know");
}

/** Once per run of the program, because a release falls out of use over weeks. */
async function removeOldPreparations({ config, db, engine, log }: Pick<Parts, "config" | "db" | "engine" | "log">): Promise<void> {
  // With other drivers, workspaces of another service may use them too.
  if (!config.enginesDir.startsWith(join(config.dataDir, "/"))) return;
  try {
    const usual = { engine: engine.name, version: usualRelease(engine.releases).version, runsSince: null };
    const removed = await removePreparations(config.enginesDir, [...(await listReleaseUses(db)), usual]);
    if (removed.length > 0) log.info({ removed }, "files prepared for releases that no workspace uses were removed");
  } catch (err) {
    log.warn({ err }, "files prepared for releases that no workspace uses could not be removed");
  }
}

/** Whether workspaces sleep here, and how, for the log. */
function sleepLine(config: Config, engineSleeps: boolean, driver: Driver): [{ sleep: string; reason?: string }, string] {
  if (config.workspaceSleep === "off") return [{ sleep: "off", reason: "WORKSPACE_SLEEP" }, "workspaces do not sleep"];
  if (!engineSleeps) return [{ sleep: "off", reason: "the engine does not report whether it is idle" }, "workspaces do not sleep"];
  if (driver.freeze) return [{ sleep: driver.freezesTo ?? "frozen" }, "idle workspaces are frozen, and stopped after a longer time"];
  return [{ sleep: "stopped", reason: driver.cannotFreeze ?? "" }, "idle workspaces are stopped, because this host can't freeze them"];
}

/** Logs an unreachable storage. Workspaces run without it; their backups fail visibly and are retried. */
async function checkStorage({ storage, log }: BackupTools): Promise<void> {
  await storage.check().catch((err: unknown) => log.error({ err, place: storage.place }, "backups cannot be stored"));
}

async function stopWorkspaces(db: Database, driver: Driver, host: string): Promise<void> {
  await leaveStopped(db, [...(await driver.listRunning())]);
  await driver.stopAll?.();
  await forgetProcesses(db, await listEnded(db, driver, host));
}
