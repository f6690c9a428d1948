/** The driver of this host's workspaces. It opens before the gateway, because a copied data folder must not route visitors to the original's workspaces. */
import { join } from "node:path";
import { forgetProcesses, listAddressed } from "#domain/workspaces/observed/observation-store.ts";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { StartTrouble } from "#platform/start-trouble.ts";
import type { Config } from "../settings/config.ts";
import type { Driver } from "../../provisioner/drivers/driver.ts";
import { createProcessDriver } from "../../provisioner/drivers/process/create-process-driver.ts";
import { usualZramMb } from "../../provisioner/drivers/process/freezing/set-up-zram.ts";
import { originalOf, settleCopy } from "../../provisioner/drivers/process/host/first-uid.ts";

export interface DriverParts {
  config: Config;
  db: Database;
  clock: Clock;
  log: Log;
}

/** Where workspaces can run, by the value of DRIVER. A new driver is a folder of `apps/provisioner/drivers` and a line here. */
export const drivers = { process: openProcessDriver };

export type DriverName = keyof typeof drivers;

/** The driver named by the settings. Throws StartTrouble on a host it cannot use. */
export const createDriver = (parts: DriverParts): Promise<Driver> => drivers[parts.config.driver](parts);

/** Throws StartTrouble in production if the host cannot isolate workspaces. */
async function openProcessDriver({ config, db, clock, log }: DriverParts): Promise<Driver> {
  const workspacesDir = join(config.dataDir, "workspaces");
  const readablePaths = [config.enginesDir, process.execPath];
  const canSleep = config.workspaceSleep === "auto" || config.workspacePool > 0;
  const driver = createProcessDriver({
    workspacesDir,
    readablePaths,
    limits: {
      cpus: config.workspaceCpus,
      diskMb: config.workspaceDiskMb,
      network: config.workspaceNetwork,
      nameServers: config.workspaceNameServers,
    },
    floorMb: config.hostDiskFloorMb,
    // A service whose workspaces never sleep, and that keeps none ready, leaves the host's swap alone.
    freezing: { zramMb: canSleep ? (config.workspaceZramMb ?? usualZramMb()) : 0, acceptsDisk: config.acceptsSwapOnDisk },
    log,
    clock,
  });
  const { isolation } = driver;
  if (!isolation.isolated) {
    if (config.production)
      throw new StartTrouble(
        `This host can't isolate workspaces: ${isolation.reason}. Production does not run customers' code without isolation.`,
      );
    log.warn({ reason: isolation.reason }, "workspaces are not isolated on this host");
  }
  await leaveOriginal(workspacesDir, db, log);
  return driver;
}

/** In a copied data folder, forgets the addresses in its database: the original's workspaces answer at them. */
async function leaveOriginal(workspacesDir: string, db: Database, log: Log): Promise<void> {
  const original = originalOf(workspacesDir);
  if (original === undefined) return;
  log.warn(
    { folder: workspacesDir, original },
    "this data folder is a copy of another one on this host: its workspaces get new user ids and start beside the original's, which are not affected",
  );
  await forgetProcesses(db, await listAddressed(db));
  settleCopy(workspacesDir);
}
