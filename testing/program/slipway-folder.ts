/** Folders of programs under test. Everything that ran in one is ended before it is deleted, even if the test run itself was killed. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProcessDriver } from "#apps/provisioner/drivers/process/create-process-driver.ts";
import { bearsMarkOf } from "#apps/provisioner/drivers/process/running/process-table.ts";
import { removeTree } from "#apps/provisioner/engines/install/seal-tree.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { stopPostmaster } from "#platform/postgres/server/postmaster.ts";
import { isAlive, removeLeftFolders } from "../memory-folder.ts";
import { removePlacedDatabase } from "./prepared-database.ts";

/** The prefix of the names of all folders of programs. */
export const programFolderPrefix = "slipway-test-program-";

let leftRemoved: Promise<void> | undefined;

/** A new folder that names its maker; the first of a run cleans up after runs that were killed. */
export async function makeSlipwayFolder(): Promise<string> {
  await (leftRemoved ??= removeLeft());
  // Not in memory: a sandbox has its own /dev/shm, so that no backup below the host's could be opened in one.
  return mkdtempSync(join(tmpdir(), `${programFolderPrefix}${process.pid}-`));
}

const pidFile = "program.pid";

/** A workspace whose removal was interrupted: its disks may still be mounted there. */
const removedFolder = /^\.removed-(.+)-[0-9a-f]{12}$/;

/** Remembers the program of a folder, for the clean-up. */
export function notePid(folder: string, pid: number | undefined): void {
  if (pid !== undefined) writeFileSync(join(folder, pidFile), String(pid));
}

/** Ends the workspaces and the database of `dataDir`, whichever program started them, and deletes the folder. */
export async function removeSlipwayFolder(folder: string, dataDir: string | undefined): Promise<void> {
  if (dataDir) {
    await endEverything(dataDir);
    removePlacedDatabase(dataDir);
  }
  await removeTree(folder);
}

/** Ends the workspaces and the database of the folder, whichever program started them. */
export async function endEverything(dataDir: string): Promise<void> {
  const workspacesDir = join(dataDir, "workspaces");
  if (existsSync(workspacesDir)) {
    const driver = createProcessDriver({ workspacesDir, readablePaths: [], log: createLog("silent"), clock: systemClock });
    const ids = readdirSync(workspacesDir).map((name) => removedFolder.exec(name)?.[1] ?? name);
    for (const id of new Set(ids.filter((name) => !name.startsWith("."))))
      await driver.remove(id).catch((error: unknown) => {
        throw new Error(`${String(error)}; workspaces are isolated: ${JSON.stringify(driver.isolation)}`, { cause: error });
      });
  }
  await stopPostmaster(join(dataDir, "postgres", "cluster"));
}

/** A killed run leaves its programs, databases and workspaces behind: those whose maker is gone are cleaned up. */
const removeLeft = (): Promise<void> =>
  removeLeftFolders(programFolderPrefix, async (folder) => {
    await killProgram(folder);
    for (const data of readdirSync(folder)) await endEverything(join(folder, data));
    await removeTree(folder);
  });

/** Process numbers are reused: only a process whose environment names the folder is the program. */
async function killProgram(folder: string): Promise<void> {
  if (!existsSync(join(folder, pidFile))) return;
  const pid = Number(readFileSync(join(folder, pidFile), "utf8"));
  if (isAlive(pid) && (await bearsMarkOf(pid, folder))) process.kill(pid, "SIGKILL");
}
