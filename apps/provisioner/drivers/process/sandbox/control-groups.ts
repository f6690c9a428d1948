/**
 * The kernel's limits on what a workspace uses: memory, processor time, number of processes. Supports both versions of control groups,
 * since hosts have either. Groups are made directly below /sys/fs/cgroup, as container engines with the "cgroupfs" driver do, so that they
 * belong to no unit of the control plane and outlive it.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { readFile, rmdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode } from "../driver-trouble.ts";

/**
 * The available hierarchies: one for all (v2), or one for each controller (v1). `use` is where processor time is counted if that is not
 * where it is limited, `blocks` where disk speed can be limited.
 */
export type Controllers =
  | { version: 2; root: string }
  | { version: 1; memory: string; cpu: string; pids: string; use?: string; blocks?: string };

export interface Bounds {
  memoryMb: number;
  /** Processors; 1.5 is one and a half. */
  cpus: number;
  /** Processes and threads. */
  tasks: number;
}

/** A file to write and its content; `self` is the process that writes it. */
export type GroupWrite = readonly [file: string, value: string];

const parent = "slipway";
/** In v1. It also covers what the kernel writes for all processes, and so everything that goes to a disk. */
const blockSpeed = "blkio.throttle.write_bps_device";
/** A killed process leaves its group once its parent has been told, which takes a moment. */
const removeTries = 40;
const removePauseMs = 25;
/** The period of the processor limit, in microseconds; the kernel's default. */
const periodUs = 100_000;

/** The hierarchies of this host, if groups can be made in all of them. */
export function findControllers(): Controllers | undefined {
  const mounts = readMounts();
  const [memory, cpu, pids, use, blocks] = ["memory", "cpu", "pids", "cpuacct", "blkio"].map(
    (name) => mounts.find(({ type, options }) => type === "cgroup" && options.includes(name))?.place,
  );
  if (memory && cpu && pids) {
    if (![memory, cpu, pids].every(canMakeFolder)) return undefined;
    const countsElsewhere = use !== undefined && use !== cpu && canMakeFolder(use);
    const boundsBlocks = blocks !== undefined && existsSync(path.join(blocks, blockSpeed));
    return { version: 1, memory, cpu, pids, ...(countsElsewhere && { use }), ...(boundsBlocks && { blocks }) };
  }
  const root = mounts.find(({ type }) => type === "cgroup2")?.place;
  if (root === undefined || !hasControllers(root) || !canMakeFolder(root)) return undefined;
  return { version: 2, root };
}

/** Whether a folder can be made and removed at `place`, for file systems where access rights say nothing. */
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

/**
 * What a process writes to put itself under the limits, in this order: the limits first, so that it is never without them. For each
 * processor, all workspaces together have the weight of four busy processes outside: with less, a visitor's browser on the same machine
 * starves them. Swap, if counted, adds nothing.
 */
export function groupWrites(controllers: Controllers, group: string, { memoryMb, cpus, tasks }: Bounds, processors: number): GroupWrite[] {
  const bytes = String(memoryMb * 1024 * 1024);
  const time = processorTime(controllers, group, cpus);
  if (controllers.version === 2) {
    const all = path.join(controllers.root, parent);
    const own = path.join(all, group);
    const enable = "+memory +cpu +pids";
    return [
      [path.join(controllers.root, "cgroup.subtree_control"), enable],
      [path.join(all, "cgroup.subtree_control"), enable],
      [path.join(all, "cpu.weight"), String(Math.min(10_000, 400 * processors))],
      [path.join(own, "memory.max"), bytes],
      [path.join(own, "memory.swap.max?"), "0"],
      time,
      [path.join(own, "pids.max"), String(tasks)],
      [path.join(own, "cgroup.procs"), "self"],
    ];
  }
  const folders = groupFolders(controllers, group);
  const [memory, cpu, pids] = folders as [string, string, string];
  return [
    [path.join(controllers.cpu, parent, "cpu.shares"), String(4096 * processors)],
    [path.join(memory, "memory.limit_in_bytes"), bytes],
    [path.join(memory, "memory.memsw.limit_in_bytes?"), bytes],
    [path.join(cpu, "cpu.cfs_period_us"), String(periodUs)],
    time,
    [path.join(pids, "pids.max"), String(tasks)],
    ...folders.map((folder): GroupWrite => [path.join(folder, "cgroup.procs"), "self"]),
  ];
}

/** The limit on processor time alone, which can change while the workspace runs. */
export function processorTime(controllers: Controllers, group: string, cpus: number): GroupWrite {
  const quotaUs = Math.max(1_000, Math.round(cpus * periodUs));
  const folders = groupFolders(controllers, group);
  return controllers.version === 2
    ? [path.join(folders[0]!, "cpu.max"), `${quotaUs} ${periodUs}`]
    : [path.join(folders[1]!, "cpu.cfs_quota_us"), String(quotaUs)];
}

/**
 * Where the speed of a block device is limited, and what is written there after the device's number; undefined if this host cannot. In v2,
 * the kernel knows which group writes, and the limit applies to all workspaces together; in v1 it does not, and the limit applies to all
 * processes.
 */
export function writeSpeed(controllers: Controllers, bytesPerSecond: number): { file: string; bound: string; none: string } | undefined {
  if (controllers.version === 2)
    return { file: path.join(controllers.root, parent, "io.max"), bound: `wbps=${bytesPerSecond}`, none: "wbps=max" };
  return controllers.blocks === undefined
    ? undefined
    : { file: path.join(controllers.blocks, blockSpeed), bound: String(bytesPerSecond), none: "0" };
}

/** Turns on disk accounting in v2 if possible; v1 needs nothing. Without it, disks have no speed limit. */
export function countDisks(controllers: Controllers): void {
  if (controllers.version === 1) return;
  try {
    mkdirSync(path.join(controllers.root, parent), { recursive: true });
    writeFileSync(path.join(controllers.root, "cgroup.subtree_control"), "+io");
  } catch {
    // The kernel was built without it, or another program manages this group.
  }
}

/** Processor seconds that the group has used; undefined if the host does not count them. */
export async function usedSeconds(controllers: Controllers, group: string): Promise<number | undefined> {
  const file =
    controllers.version === 2
      ? path.join(controllers.root, parent, group, "cpu.stat")
      : path.join(controllers.use ?? controllers.cpu, parent, group, "cpuacct.usage");
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  return controllers.version === 2 ? Number(/^usage_usec (\d+)$/m.exec(text)?.[1] ?? NaN) / 1e6 : Number(text) / 1e9;
}

/**
 * Megabytes that count against the group's limit and cannot be reclaimed: without the page cache, which the kernel empties first. Undefined
 * if there is no such group.
 */
export function usedMemoryMb(controllers: Controllers, group: string): number | undefined {
  const [folder] = groupFolders(controllers, group);
  const read = (name: string): string => readFileSync(path.join(folder!, name), "utf8");
  try {
    const figures = new Map(
      read("memory.stat")
        .split("\n")
        .map((line) => line.split(" ") as [string, string]),
    );
    const figure = (name: string): number => Number(figures.get(name) ?? 0);
    const bytes =
      controllers.version === 2
        ? Number(read("memory.current")) - figure("file") + figure("shmem") - figure("slab_reclaimable")
        : Number(read("memory.usage_in_bytes")) - figure("total_cache") + figure("total_shmem");
    return Math.max(0, Math.round(bytes / (1024 * 1024)));
  } catch {
    return undefined;
  }
}

/** How often the system has killed a process of this workspace at its memory limit since its last start; 0 if unknown. */
export async function countMemoryKills(controllers: Controllers, group: string): Promise<number> {
  const [memory] = groupFolders(controllers, group);
  const file = path.join(memory!, controllers.version === 2 ? "memory.events" : "memory.oom_control");
  const text = await readFile(file, "utf8").catch(() => "");
  return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** Removes the groups with their counts. A group that still has a process after so many tries stays, and is used again. */
export async function removeGroups(controllers: Controllers, group: string): Promise<void> {
  for (const folder of groupFolders(controllers, group)) {
    for (let tries = 1; !(await isRemoved(folder)) && tries < removeTries; tries += 1) await sleep(removePauseMs);
  }
}

async function isRemoved(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return true;
    if (hasCode(error, "EBUSY", "ENOTEMPTY")) return false;
    throw error;
  }
}
