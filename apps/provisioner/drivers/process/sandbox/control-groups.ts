/**
 * The kernel's bounds on what a workspace uses: memory, processor time, number of processes. Both versions of control groups, since
 * hosts have either; groups are made by hand below /sys/fs/cgroup, as container engines with the "cgroupfs" driver do, so that they
 * belong to no unit of the control plane and outlive it.
 */
import { readFileSync } from "node:fs";
import { readFile, rmdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode } from "../driver-trouble.ts";
import { canMakeFolder } from "./sandbox-tools.ts";

/** Which hierarchies there are: one for all (v2), or one for each controller (v1). */
export type Controllers = { version: 2; root: string } | { version: 1; memory: string; cpu: string; pids: string };

export interface Bounds {
  memoryMb: number;
  /** Processors' worth of time, 1.5 being one and a half. */
  cpus: number;
  /** Processes and threads. */
  tasks: number;
}

/** A file to write and what to write there; `self` is the process that writes it. */
export type GroupWrite = readonly [file: string, value: string];

const parent = "slipway";
/** A killed process leaves its group when its parent has been told, which takes a moment. */
const removeTries = 40;
const removePauseMs = 25;
/** Over which time the processor's bound holds; the kernel's own default, in microseconds. */
const periodUs = 100_000;

/** The hierarchies of this host, if groups can be made in all of them. */
export function findControllers(): Controllers | undefined {
  const mounts = readMounts();
  const memory = mounts.find(({ type, options }) => type === "cgroup" && options.includes("memory"))?.place;
  const cpu = mounts.find(({ type, options }) => type === "cgroup" && options.includes("cpu"))?.place;
  const pids = mounts.find(({ type, options }) => type === "cgroup" && options.includes("pids"))?.place;
  if (memory && cpu && pids) return [memory, cpu, pids].every(canMakeFolder) ? { version: 1, memory, cpu, pids } : undefined;
  const root = mounts.find(({ type }) => type === "cgroup2")?.place;
  if (root === undefined || !hasControllers(root) || !canMakeFolder(root)) return undefined;
  return { version: 2, root };
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
  const roots = controllers.version === 2 ? [controllers.root] : [controllers.memory, controllers.cpu, controllers.pids];
  return roots.map((root) => path.join(root, parent, group));
}

/**
 * What a process writes to put itself under the bounds, in this order: the bounds first, so that it is never without. The workspaces
 * together weigh as much as four busy processes outside for each processor: less, and a visitor's browser on the same machine starves them; swap, where it is counted, adds nothing.
 */
export function groupWrites(controllers: Controllers, group: string, { memoryMb, cpus, tasks }: Bounds, processors: number): GroupWrite[] {
  const bytes = String(memoryMb * 1024 * 1024);
  const time = processorTime(controllers, group, cpus);
  if (controllers.version === 2) {
    const all = path.join(controllers.root, parent);
    const own = path.join(all, group);
    const enable = "+memory +cpu +pids";
    return [
      [path.join(controllers.root, "cgroup.subtree_control"), enable], [path.join(all, "cgroup.subtree_control"), enable],
      [path.join(all, "cpu.weight"), String(Math.min(10_000, 400 * processors))],
      [path.join(own, "memory.max"), bytes], [path.join(own, "memory.swap.max?"), "0"],
      time, [path.join(own, "pids.max"), String(tasks)],
      [path.join(own, "cgroup.procs"), "self"],
    ];
  }
  const [memory, cpu, pids] = groupFolders(controllers, group) as [string, string, string];
  return [
    [path.join(controllers.cpu, parent, "cpu.shares"), String(4096 * processors)],
    [path.join(memory, "memory.limit_in_bytes"), bytes], [path.join(memory, "memory.memsw.limit_in_bytes?"), bytes],
    [path.join(cpu, "cpu.cfs_period_us"), String(periodUs)], time,
    [path.join(pids, "pids.max"), String(tasks)],
    ...[memory, cpu, pids].map((folder): GroupWrite => [path.join(folder, "cgroup.procs"), "self"]),
  ];
}

/** The bound on processor time alone, which can change while the workspace runs. */
export function processorTime(controllers: Controllers, group: string, cpus: number): GroupWrite {
  const quotaUs = Math.max(1_000, Math.round(cpus * periodUs));
  const folders = groupFolders(controllers, group);
  return controllers.version === 2 ? [path.join(folders[0]!, "cpu.max"), `${quotaUs} ${periodUs}`] : [path.join(folders[1]!, "cpu.cfs_quota_us"), String(quotaUs)];
}

/** How often the system killed something of this workspace at its memory bound since its last start; 0 where it cannot be told. */
export async function countMemoryKills(controllers: Controllers, group: string): Promise<number> {
  const [memory] = groupFolders(controllers, group);
  const file = path.join(memory!, controllers.version === 2 ? "memory.events" : "memory.oom_control");
  const text = await readFile(file, "utf8").catch(() => "");
  return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** Removes the groups, and their counts with them. One that still has a process in it after so many tries stays, and is used again. */
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
