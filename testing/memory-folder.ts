/**
 * Where tests keep files that they create and delete by the thousand: in memory if the machine has room for it, otherwise in the usual
 * folder.
 */
import { accessSync, constants, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const memoryFolder = "/dev/shm";
/** A whole run has less than 1 GB of databases at once; containers often have 64 MB here. */
const roomBytes = 3 * 1024 ** 3;

/** How long another process may take to remove a folder that it has begun to remove. */
const removalMs = 20_000;

/** Makes a new folder whose name begins with `prefix` and the number of this process, which `removeLeftFolders` looks for. */
export function makeMemoryFolder(prefix: string): string {
  return mkdtempSync(join(chooseMemoryFolder(), `${prefix}${process.pid}-`));
}

/**
 * Makes `remove` remove the folders with that prefix whose makers are gone: those of killed runs. Several processes of a run begin with
 * this at the same time: a failure because another one removes the same folder does not count. A folder that cannot be removed, for example
 * with a disk still mounted in it, is named and set aside: leftovers of an earlier run fail no test of this one.
 */
export async function removeLeftFolders(prefix: string, remove: (folder: string) => Promise<void>, waitMs = removalMs): Promise<void> {
  for (const folder of findLeftFolders(prefix)) {
    await remove(folder).catch(async (error: unknown) => {
      const until = Date.now() + waitMs;
      while (existsSync(folder) && Date.now() < until) await sleep(50);
      if (existsSync(folder)) setAside(folder, error);
    });
  }
}

function setAside(folder: string, error: unknown): void {
  const aside = join(dirname(folder), `slipway-not-removed-${basename(folder)}`);
  try {
    renameSync(folder, aside);
  } catch (cause) {
    // Another process of the run has set it aside.
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return;
    throw cause;
  }
  console.warn(`What a killed run left could not be removed, and is in ${aside}: ${String(error)}`);
}

function findLeftFolders(prefix: string): string[] {
  const folders = [tmpdir(), memoryFolder].filter((folder) => existsSync(folder));
  const isLeft = (name: string) => name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length).split("-")[0]));
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter(isLeft)
      .map((name) => join(folder, name)),
  );
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * On a disk with ext4 a new file after many deleted ones is slow: making a database of a thousand files costs 0.18 s
 * of CPU there, and 0.04 s here.
 */
function chooseMemoryFolder(): string {
  try {
    accessSync(memoryFolder, constants.W_OK);
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .find((line) => line.split(" ")[1] === memoryFolder);
    const { bavail, bsize } = statfsSync(memoryFolder);
    // On a file system without execution, a program cannot load its libraries.
    const fits = mount !== undefined && !mount.includes("noexec") && bavail * bsize >= roomBytes && process.availableMemory() >= roomBytes;
    return fits ? memoryFolder : tmpdir();
  } catch {
    return tmpdir();
  }
}
