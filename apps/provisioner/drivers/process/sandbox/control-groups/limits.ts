/** The kernel's limits on what a workspace uses: memory, processor time, number of processes. */
import { mkdirSync, writeFileSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode } from "../../../driver-trouble.ts";
import { allFolders, blockSpeed, groupFolders, parent, type Controllers } from "./find-controllers.ts";

interface Bounds {
  memoryMb: number;
  /** Processors; 1.5 is one and a half. */
  cpus: number;
  /** Processes and threads. */
  tasks: number;
}

/** A file to write and its content; `self` is the process that writes it. */
export type GroupWrite = readonly [file: string, value: string];

/** A killed process leaves its group once its parent has been told, which takes a moment. */
const removeTries = 40;
const removePauseMs = 25;
/** The period of the processor limit, in microseconds; the kernel's default. */
const periodUs = 100_000;

/**
 * What a process writes to put itself under the limits, in this order: the limits first, so that it is never without them. For each
 * processor, all workspaces together have the weight of four busy processes outside: with less, a visitor's browser on the same machine
 * would be starved. Swap, if counted, adds nothing, and is only for frozen workspaces.
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
    [path.join(memory, "memory.swappiness?"), "0"],
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

/** Removes the groups with their counts. A group that still has a process after so many attempts stays, and is used again. */
export async function removeGroups(controllers: Controllers, group: string): Promise<void> {
  for (const folder of allFolders(controllers, group)) {
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
