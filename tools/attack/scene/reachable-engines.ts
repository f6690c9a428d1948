/**
 * Makes the tests' engines reachable for users of workspaces: the cache may be in a private home folder. They are not copied (gigabytes):
 * the same folder is mounted at a second place.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeIsolation } from "#apps/provisioner/drivers/process/host/describe-isolation.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";

const prefix = "slipway-attack-engines-";

interface ReachableEngines {
  dir: string;
  /** Never deletes its contents. */
  release(): void;
}

/** Returns the cache itself if it is open to other users, or if nothing can be mounted. */
export function reachableEngines(): ReachableEngines {
  for (const left of readdirSync(tmpdir()).filter((name) => name.startsWith(prefix)))
    if (!isAlive(Number(left.slice(prefix.length).split("-")[0]))) unmount(join(tmpdir(), left));
  const asItIs = { dir: enginesCacheDir, release: () => undefined };
  if (process.getuid?.() !== 0 || describeIsolation([enginesCacheDir]).isolated) return asItIs;
  const place = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  const dir = join(place, "engines");
  mkdirSync(dir);
  spawnSync("chmod", ["755", place]);
  if (spawnSync("mount", ["--bind", enginesCacheDir, dir]).status === 0) return { dir, release: () => unmount(place) };
  unmount(place);
  return asItIs;
}

/** Deletes empty folders only: anything still mounted is kept. */
function unmount(place: string): void {
  spawnSync("umount", ["--lazy", join(place, "engines")]);
  for (const folder of [join(place, "engines"), place]) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
