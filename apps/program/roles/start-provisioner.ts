/** Runs workspaces: installs the engine, reconciles through the driver, makes backups, and stops with or without the workspaces. */
import { join } from "node:path";
import { forgetProcesses } from "#domain/workspaces/observed/observation-store.ts";
import { wakeAll } from "#domain/workspaces/observed/sleep-store.ts";
import { createBackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import { systemClock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { createHostLoad } from "#platform/loops/host-load.ts";
import { startBackupLoop } from "../../provisioner/backups/backup-loop.ts";
import { createBackupSlots } from "../../provisioner/backups/backup-slots.ts";
import type { BackupTools } from "../../provisioner/backups/backup-tools.ts";
import { createBackups } from "../../provisioner/backups/create-backups.ts";
import { createExportWork } from "../../provisioner/exports/export-work.ts";
import type { Driver } from "../../provisioner/drivers/driver.ts";
import { createEngineInstalls } from "../../provisioner/engine-installs.ts";
import { startPool } from "../../provisioner/pool/pool-loop.ts";
import { startReconcileLoop } from "../../provisioner/reconcile/reconcile-loop.ts";
import { startRelievingMemory } from "../../provisioner/relieve-memory.ts";
import { startLooks } from "../../provisioner/looks/answer-looks.ts";
import { startMemorySampling } from "../../provisioner/looks/sample-memory.ts";
import { listEnded, startNoticingExits } from "../../provisioner/notice-exits.ts";
import { createWaker, wakeFirst } from "../../provisioner/wake-first.ts";
import { startAutomaticUpdates } from "../../provisioner/updates/automatic-updates.ts";
import { startHostWatch } from "../../provisioner/watch-host.ts";
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

/** n8n's first start takes 10 to 17 s on an idle machine; ten times that means the machine is in trouble. */
const readyTimeoutMs = 180_000;

/** Starts all loops. Requests the newest release immediately, because its installation takes minutes. */
export async function startProvisioner(
  { config, db, engine, backupStorage, secrets, clock, log, rounds, metrics }: Parts,
  driver: Driver,
): Promise<Provisioner> {
  const installs = createEngineInstalls({ db, engine, clock, log });
  const gateway = doorOf(config, "gateway");
  const openSecrets = (encrypted: string) => JSON.parse(secrets.decrypt(encrypted, "workspace")) as Record<string, string>;

  const sleeps = config.workspaceSleep === "auto" && engine.sleep !== undefined;
  if (!sleeps) await wakeAll(db, clock.now());
  log.info(...sleepLine(config, engine.sleep !== undefined, driver));
  const waker = createWaker({ db, clock });
  const wakingEngine = wakeFirst(engine, waker);
  const tools: BackupTools = {
    db,
    engine: wakingEngine,
    wake: (workspaceId) => waker.wake(workspaceId),
    driver,
    storage: backupStorage,
    keys: createBackupKeys(secrets, secrets.previous ? [secrets.previous] : []),
    slots: createBackupSlots(),
    clock,
    log,
    stagingDir: join(config.dataDir, "staging"),
  };
  await checkStorage(tools);
  const backups = startBackupLoop(tools, [createExportWork({ ...tools, secrets, publicUrl: config.publicUrl })], rounds);
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
      sleeps,
      readyTimeoutMs,
      openSecrets,
      probeThroughGateway: (accountName, path) => probeThroughGateway(gateway, `${accountName}.${config.panelHost}`, path),
    },
    rounds,
  );
  const hostWatch = startHostWatch({ driver, db, clock, log, rounds });
  const looks = startLooks({ db, driver, engine: wakingEngine, wake: (id) => waker.wake(id), clock, log, rounds });
  const relief = sleeps ? startRelievingMemory({ db, driver, clock, log, rounds }) : null;
  const sampling = startMemorySampling({ db, driver, clock, log, rounds });
  const updates = startAutomaticUpdates({ db, clock, log, releases: engine.releases, rounds });
  const unwatch = driver.watch((workspaceId) => loop.noticeExit(workspaceId));
  const exits = startNoticingExits({ db, driver, log, rounds, noticeExit: (id) => loop.noticeExit(id) });
  const pool = startPool({
    db,
    engine,
    driver,
    clock,
    log,
    rounds,
    most: config.workspacePool,
    memoryMb: config.workspaceMemoryMb,
    publicUrl: config.publicUrl,
    readyTimeoutMs,
    availableMb: () => process.availableMemory() / 1024 ** 2,
    secrets: {
      make: () => secrets.encrypt(JSON.stringify(engine.createSecrets()), "workspace"),
      open: openSecrets,
    },
  });
  await installs.request(engine.releases[0]!.version);

  return {
    // On a development machine a resolver on the loopback is usual; the log mentions it.
    hostTroubles: () => hostWatch.troubles().filter((kind) => config.production || kind !== "name servers"),
    changed: (workspaceId) => waker.changed(workspaceId),
    wake: () => loop.wake(),
    look: () => looks.wake(),
    backUp: () => backups.wake(),
    async stop({ workspaces }) {
      unwatch();
      await Promise.all([exits.stop(), hostWatch.stop(), looks.stop(), sampling.stop(), relief?.stop(), updates.stop(), pool.stop()]);
      await Promise.all([loop.stop(), backups.stop()]);
      await installs.stop();
      if (workspaces) await stopWorkspaces(db, driver);
    },
  };
}

/** Whether workspaces sleep here, and how, for the log. */
function sleepLine(config: Config, engineSleeps: boolean, driver: Driver): [{ sleep: string; reason?: string }, string] {
  if (config.workspaceSleep === "off") return [{ sleep: "off", reason: "WORKSPACE_SLEEP" }, "workspaces do not sleep"];
  if (!engineSleeps) return [{ sleep: "off", reason: "the engine does not tell whether it may" }, "workspaces do not sleep"];
  if (driver.freeze) return [{ sleep: driver.freezesTo ?? "frozen" }, "idle workspaces are frozen, and stopped after a longer time"];
  return [{ sleep: "stopped", reason: driver.cannotFreeze ?? "" }, "idle workspaces are stopped, because this host can't freeze them"];
}

/** Logs an unreachable storage. Workspaces run without it; their backups fail visibly and are retried. */
async function checkStorage({ storage, log }: BackupTools): Promise<void> {
  await storage.check().catch((err: unknown) => log.error({ err, place: storage.place }, "backups cannot be stored"));
}

async function stopWorkspaces(db: Database, driver: Driver): Promise<void> {
  await driver.stopAll?.();
  await forgetProcesses(db, await listEnded(db, driver));
}
