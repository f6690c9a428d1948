/** A control group with a memory limit, for tests of what a workspace's processes do at it without the driver. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { findControllers, type Controllers } from "#apps/provisioner/drivers/process/sandbox/control-groups/find-controllers.ts";
import { waitFor } from "#testing/wait-for.ts";

const controllers = findControllers();

/** A host without control groups has no memory limit to test. */
export const hasMemoryGroups = controllers !== undefined;

let made = 0;

export interface MemoryGroup {
  /** Precedes a command, which then runs in the group. */
  enter: readonly string[];
  pids(): number[];
  /** How often the kernel has killed a process in it for its memory. */
  kills(): number;
}

/** Makes a group with this limit, without swap; it is removed after the test. */
export function makeMemoryGroup(memoryMb: number): MemoryGroup {
  if (!controllers) throw new Error("this host has no control groups");
  const folder = join(memoryRoot(controllers), `slipway-test-${process.pid}-${(made += 1)}`);
  mkdirSync(folder);
  // The processes of the group need a moment to leave it.
  onTestFinished(() => waitFor(() => rmdirSync(folder), { timeout: 60_000, interval: 100 }));
  const isSecond = controllers.version === 2;
  const [swap, none] = isSecond ? ["memory.swap.max", "0"] : ["memory.swappiness", "0"];
  if (existsSync(join(folder, swap))) writeFileSync(join(folder, swap), none);
  writeFileSync(join(folder, isSecond ? "memory.max" : "memory.limit_in_bytes"), String(memoryMb * 1024 * 1024));
  const read = (name: string): string => readFileSync(join(folder, name), "utf8").trim();
  return {
    enter: ["/bin/sh", "-c", `echo $$ > ${folder}/cgroup.procs && exec "$@"`, "sh"],
    pids: () =>
      read("cgroup.procs")
        .split("\n")
        .filter((line) => line !== "")
        .map(Number),
    kills: () => Number(/^oom_kill (\d+)$/m.exec(read(isSecond ? "memory.events" : "memory.oom_control"))?.[1]),
  };
}

const memoryRoot = (found: Controllers): string => (found.version === 2 ? found.root : found.memory);
