/**
 * Which control groups this host has. Both versions are supported, since hosts have either. Groups are made directly below /sys/fs/cgroup,
 * as container engines with the "cgroupfs" driver do, so that they belong to no unit of the control plane and outlive it.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync } from "node:fs";
import path from "node:path";

/**
 * The available hierarchies: one for all (v2), or one for each controller (v1). `use` is where processor time is counted if that is not
 * where it is limited, `blocks` where disk speed can be limited, `freezer` where processes can be stopped in place; v2 does that
 * everywhere.
 */
export type Controllers =
  | { version: 2; root: string }
  | { version: 1; memory: string; cpu: string; pids: string; use?: string; blocks?: string; freezer?: string };

/** The group of all workspaces. */
export const parent = "slipway";
/** In v1. It also covers what the kernel writes for all processes, and so everything that goes to a disk. */
export const blockSpeed = "blkio.throttle.write_bps_device";

/** The hierarchies of this host, if groups can be made in all of them. */
export function findControllers(): Controllers | undefined {
  const mounts = readMounts();
  const [memory, cpu, pids, use, blocks, freezer] = ["memory", "cpu", "pids", "cpuacct", "blkio", "freezer"].map(
    (name) => mounts.find(({ type, options }) => type === "cgroup" && options.includes(name))?.place,
  );
  if (memory && cpu && pids) {
    if (![memory, cpu, pids].every(canMakeFolder)) return undefined;
    const countsElsewhere = use !== undefined && use !== cpu && canMakeFolder(use);
    const boundsBlocks = blocks !== undefined && existsSync(path.join(blocks, blockSpeed));
    const freezes = freezer !== undefined && canMakeFolder(freezer);
    return {
      version: 1,
      memory,
      cpu,
      pids,
      ...(countsElsewhere && { use }),
      ...(boundsBlocks && { blocks }),
      ...(freezes && { freezer }),
    };
  }
  const root = mounts.find(({ type }) => type === "cgroup2")?.place;
  if (root === undefined || !hasControllers(root) || !canMakeFolder(root)) return undefined;
  return { version: 2, root };
}

/** Whether a folder can be made and removed at `place`, for file systems in which access rights say nothing. */
function canMakeFolder(place: string): boolean {
  const trial = path.join(place, `slipway-try-${process.pid}`);
  try {
    mkdirSync(trial);
    rmdirSync(trial);
    return true;
  } catch {
    return false;
  }
}

function readMounts(): { place: string; type: string; options: string[] }[] {
  const lines = readFileSync("/proc/mounts", "utf8").trim().split("\n");
  return lines.map((line) => {
    const [, place = "", type = "", options = ""] = line.split(" ");
    return { place, type, options: options.split(",") };
  });
}

function hasControllers(root: string): boolean {
  try {
    const names = readFileSync(path.join(root, "cgroup.controllers"), "utf8").trim().split(" ");
    return ["memory", "cpu", "pids"].every((name) => names.includes(name));
  } catch {
    return false;
  }
}

/** The folders of a workspace's groups, below those of all workspaces. */
export function groupFolders(controllers: Controllers, group: string): string[] {
  const roots =
    controllers.version === 2
      ? [controllers.root]
      : [controllers.memory, controllers.cpu, controllers.pids, ...(controllers.use ? [controllers.use] : [])];
  return roots.map((root) => path.join(root, parent, group));
}

/** Where the workspace is frozen; undefined if this host has no freezer. */
export function freezerFolder(controllers: Controllers, group: string): string | undefined {
  if (controllers.version === 2) return path.join(controllers.root, parent, group);
  return controllers.freezer && path.join(controllers.freezer, parent, group);
}

/** All folders of a workspace's groups: those that limit it, and the one that freezes it. */
export function allFolders(controllers: Controllers, group: string): string[] {
  const freezer = freezerFolder(controllers, group);
  return [...new Set([...groupFolders(controllers, group), ...(freezer === undefined ? [] : [freezer])])];
}
