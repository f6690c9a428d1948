/**
 * Stops the processes of a group in place, and pages their memory out. A frozen process does not notice; in v1 it cannot even be killed
 * until it is thawed.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode } from "../../../driver-trouble.ts";
import { runProgram } from "../../host/run-program.ts";
import { freezerFolder, groupFolders, type Controllers } from "./find-controllers.ts";
import type { GroupWrite } from "./limits.ts";

/** A process that waits for a dead disk is not frozen until the disk answers; all others take milliseconds. */
const freezeTimeoutMs = 5_000;
const lookEveryMs = 10;
/** 260 MB take half a second on zram, and several on a slow disk. */
const pageOutTimeoutMs = 60_000;

/** How the two versions report it. */
const words = {
  1: { file: "freezer.state", on: "FROZEN", off: "THAWED" },
  2: { file: "cgroup.freeze", on: "1", off: "0" },
} as const;

/** Whether processes of this host's groups can be frozen. */
export function canFreeze(controllers: Controllers): boolean {
  const folder = freezerFolder(controllers, "any");
  // The root of v2 has no such file; every kernel that uses v2, from 5.2 on, can freeze.
  return folder !== undefined;
}

/**
 * What a starting process writes to enter a group in which it can be frozen. A frozen group left by an earlier process is thawed before it
 * is entered.
 */
export function freezerWrites(controllers: Controllers, group: string): GroupWrite[] {
  const folder = freezerFolder(controllers, group);
  if (folder === undefined) return [];
  const { file, off } = words[controllers.version];
  const thaw: GroupWrite = [path.join(folder, `${file}?`), off];
  // In v2 it is the group with the limits, which is entered anyway.
  return controllers.version === 2 ? [thaw] : [thaw, [path.join(folder, "cgroup.procs"), "self"]];
}

/** Whether the process is in the group that would be frozen: not if it was started before this host could freeze. */
export function isInFreezer(controllers: Controllers, group: string, pid: number): boolean {
  return read(freezerFolder(controllers, group), "cgroup.procs").split("\n").includes(String(pid));
}

/** Whether the group is frozen, or about to be. */
export function isFrozen(controllers: Controllers, group: string): boolean {
  const { file, off } = words[controllers.version];
  const state = read(freezerFolder(controllers, group), file);
  return state !== "" && state !== off;
}

/** Freezes the group. False if a process could not be stopped in time; then the group is thawed. */
export async function freezeGroup(controllers: Controllers, group: string): Promise<boolean> {
  const deadline = performance.now() + freezeTimeoutMs;
  const { file, on } = words[controllers.version];
  write(freezerFolder(controllers, group), file, on);
  while (!isStill(controllers, group)) {
    // Another worker has thawed it since; its request is newer.
    if (!isFrozen(controllers, group)) return true;
    if (performance.now() > deadline) {
      thawGroup(controllers, group);
      return false;
    }
    await sleep(lookEveryMs);
  }
  return true;
}

function isStill(controllers: Controllers, group: string): boolean {
  const folder = freezerFolder(controllers, group);
  return controllers.version === 2 ? /^frozen 1$/m.test(read(folder, "cgroup.events")) : read(folder, "freezer.state") === "FROZEN";
}

/** Lets the group run. The pages it touches come back from swap, and no more go there. Does nothing if there is no such group. */
export function thawGroup(controllers: Controllers, group: string): void {
  allowSwap(controllers, group, false);
  const { file, off } = words[controllers.version];
  write(freezerFolder(controllers, group), file, off);
}

/** Pages out the group's memory, and drops its pages in the page cache. Resolves early when `signal` aborts. */
export async function pageOut(controllers: Controllers, group: string, signal: AbortSignal): Promise<void> {
  const [memory] = groupFolders(controllers, group);
  allowSwap(controllers, group, true);
  // The kernel does all of it during this one write: in a separate program, so that none of our threads waits for a disk. It reports "try
  // again" if some pages stay.
  const script =
    controllers.version === 2
      ? '[ ! -e memory.reclaim ] || { read -r bytes < memory.current; echo "$bytes" > memory.reclaim; } 2>/dev/null || :'
      : "echo 0 > memory.force_empty || :";
  await runProgram({ program: "/bin/sh", args: ["-c", script], cwd: memory!, timeoutMs: pageOutTimeoutMs, signal }).catch(
    (error: unknown) => {
      if (!signal.aborted) throw error;
    },
  );
}

/**
 * Pages out a running group. If this process dies, the kernel still finishes, and swap stays open to the group until its next page-out,
 * freeze or start: its pages may then go there when the host is short of memory.
 */
export async function pageOutRunning(controllers: Controllers, group: string, signal: AbortSignal): Promise<void> {
  try {
    await pageOut(controllers, group, signal);
  } finally {
    // Another worker has frozen it since: it is still being paged out.
    if (!isFrozen(controllers, group)) allowSwap(controllers, group, false);
  }
}

/**
 * Pages of a running workspace never go to swap unless they are paged out on purpose: a tenant would have to wait for them, and a memory
 * shortage must not look like plenty.
 */
function allowSwap(controllers: Controllers, group: string, isAllowed: boolean): void {
  const [memory] = groupFolders(controllers, group);
  if (controllers.version === 2) write(memory, "memory.swap.max", isAllowed ? "max" : "0");
  else write(memory, "memory.swappiness", isAllowed ? "100" : "0");
}

/** Sysfs needs no disk: synchronous. */
function write(folder: string | undefined, file: string, value: string): void {
  if (folder === undefined || !existsSync(path.join(folder, file))) return;
  try {
    writeFileSync(path.join(folder, file), value, { flag: "r+" });
  } catch (error) {
    // The group disappeared while it was written to.
    if (!hasCode(error, "ENOENT", "ENODEV")) throw error;
  }
}

function read(folder: string | undefined, file: string): string {
  try {
    return folder === undefined ? "" : readFileSync(path.join(folder, file), "utf8").trim();
  } catch {
    return "";
  }
}
