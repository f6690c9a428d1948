/**
 * What the host has for all of its workspaces. In a container, that is what the container may use, if less: workspaces' control groups are
 * made directly below the topmost visible one, which in a container is the container's. On a host, the topmost one has no limits.
 */
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { readKernelFile } from "../host/kernel-file.ts";

/** Where the kernel says it; replaced in tests. */
export interface HostFiles {
  meminfo: string;
  groups: string;
}

const kernelFiles: HostFiles = { meminfo: "/proc/meminfo", groups: "/sys/fs/cgroup" };

/** In MB; `availableMb` is free or can be freed without paging out. Each is NaN if the system does not report it. */
interface HostMemory {
  totalMb: number;
  availableMb: number;
  swapMb: number;
  freeSwapMb: number;
}

const bytesPerMb = 1024 ** 2;

export function readHostMemory(files: HostFiles = kernelFiles): HostMemory {
  const text = readTrimmed(files.meminfo);
  const mb = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? Number.NaN) / 1024;
  const group = readGroupMemory(files.groups);
  const freeSwapMb = Math.min(mb("SwapFree"), group.freeSwapMb);
  return {
    totalMb: Math.min(mb("MemTotal"), group.limitMb),
    availableMb: Math.min(mb("MemAvailable"), Math.max(0, group.limitMb - group.usedMb)),
    swapMb: Math.min(mb("SwapTotal"), group.swapMb),
    freeSwapMb: Math.max(0, freeSwapMb),
  };
}

/** Infinity if there is no limit. */
function readGroupMemory(groups: string): { limitMb: number; usedMb: number; swapMb: number; freeSwapMb: number } {
  const isUnified = readTrimmed(join(groups, "cgroup.controllers")) !== "";
  const read = (name: string): string => readTrimmed(isUnified ? join(groups, name) : join(groups, "memory", name));
  const limit = (name: string): number => numberOr(read(name), Infinity);
  // Cached pages of files can be reclaimed, as in the kernel's MemAvailable: unless memory runs short, they fill the group up to its limit.
  let ofFiles = 0;
  for (const [, bytes] of read("memory.stat").matchAll(isUnified ? /^(?:in)?active_file (\d+)/gm : /^total_(?:in)?active_file (\d+)/gm))
    ofFiles += Number(bytes);
  const [most, used, swapMost, swapUsed] = isUnified
    ? [limit("memory.max"), numberOr(read("memory.current"), 0), limit("memory.swap.max"), numberOr(read("memory.swap.current"), 0)]
    : readVersion1(limit, (name) => numberOr(read(name), 0));
  const mb = (bytes: number): number => bytes / bytesPerMb;
  return { limitMb: mb(most), usedMb: mb(used - ofFiles), swapMb: mb(swapMost), freeSwapMb: mb(swapMost - swapUsed) };
}

/** Version 1 counts memory and swap together, and reports "no limit" as a number larger than any host's memory. */
function readVersion1(limit: (name: string) => number, used: (name: string) => number): [number, number, number, number] {
  const [most, both] = [limit("memory.limit_in_bytes"), limit("memory.memsw.limit_in_bytes")];
  const [usedNow, bothNow] = [used("memory.usage_in_bytes"), used("memory.memsw.usage_in_bytes")];
  const hasNone = (bytes: number): boolean => !(bytes < 2 ** 60);
  return [hasNone(most) ? Infinity : most, usedNow, hasNone(both) ? Infinity : both - most, Math.max(0, bothNow - usedNow)];
}

/** Counters since an arbitrary moment: compare two readings. */
export interface Processors {
  /** The number of processors, or how many of them the container may use; may be a fraction. */
  count: number;
  /** Milliseconds that they have worked in total. */
  busyMs: number;
  /** Milliseconds that they could have worked. */
  allMs: number;
}

/** The container's, or the host's if the container has no limit. */
export function readProcessors({ groups }: Pick<HostFiles, "groups"> = kernelFiles): Processors {
  return readGroupProcessors(groups) ?? readHostProcessors();
}

/** Of the topmost visible control group; undefined if it may use all of the host's processors, or its time is not counted. */
export function readGroupProcessors(groups = kernelFiles.groups, nowMs = performance.now()): Processors | undefined {
  const count = readQuota(groups);
  const busyMs = count < availableParallelism() ? readGroupTime(groups) : undefined;
  return busyMs === undefined ? undefined : { count, busyMs, allMs: count * nowMs };
}

export function readHostProcessors(): Processors {
  let [busyMs, idleMs] = [0, 0];
  for (const { times } of cpus()) {
    busyMs += times.user + times.nice + times.sys + times.irq;
    idleMs += times.idle;
  }
  return { count: availableParallelism(), busyMs, allMs: busyMs + idleMs };
}

function readQuota(groups: string): number {
  const [quota, period] = (
    readTrimmed(join(groups, "cpu.max")) ||
    `${readTrimmed(join(groups, "cpu/cpu.cfs_quota_us"))} ${readTrimmed(join(groups, "cpu/cpu.cfs_period_us"))}`
  ).split(" ");
  const processors = Number(quota) / Number(period);
  return processors > 0 ? processors : Infinity;
}

function readGroupTime(groups: string): number | undefined {
  const microseconds = /^usage_usec (\d+)/m.exec(readTrimmed(join(groups, "cpu.stat")))?.[1];
  if (microseconds !== undefined) return Number(microseconds) / 1_000;
  const nanoseconds = readTrimmed(join(groups, "cpuacct/cpuacct.usage"));
  return nanoseconds === "" ? undefined : Number(nanoseconds) / 1e6;
}

function numberOr(text: string | undefined, otherwise: number): number {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : otherwise;
}

const readTrimmed = (file: string): string => readKernelFile(file).trim();
