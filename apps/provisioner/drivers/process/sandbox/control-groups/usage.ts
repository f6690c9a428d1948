/** What a workspace uses of this host, as counted by its control groups; read twice a second for each workspace. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { readKernelFile } from "#platform/host/kernel-file.ts";
import { groupFolders, parent, type Controllers } from "./find-controllers.ts";

/** Processor seconds that the group has used; undefined if the host does not count them. */
export function usedSeconds(controllers: Controllers, group: string): number | undefined {
  const file =
    controllers.version === 2
      ? path.join(controllers.root, parent, group, "cpu.stat")
      : path.join(controllers.use ?? controllers.cpu, parent, group, "cpuacct.usage");
  const text = readKernelFile(file);
  if (text === "") return undefined;
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
export function countMemoryKills(controllers: Controllers, group: string): number {
  const [memory] = groupFolders(controllers, group);
  const file = path.join(memory!, controllers.version === 2 ? "memory.events" : "memory.oom_control");
  const text = readKernelFile(file);
  return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** Megabytes of the group that are paged out, before compression; 0 if there is no such group or the host does not count them. */
export function swappedMb(controllers: Controllers, group: string): number {
  const [folder] = groupFolders(controllers, group);
  const [name, pattern] = controllers.version === 2 ? ["memory.swap.current", /^(\d+)$/m] : ["memory.stat", /^swap (\d+)$/m];
  const bytes = Number(pattern.exec(readKernelFile(path.join(folder!, name)))?.[1] ?? 0);
  return Math.round(bytes / (1024 * 1024));
}
