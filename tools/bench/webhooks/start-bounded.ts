/**
 * A bare n8n in control groups like a workspace's: the same memory, and in its turns the same processor time that the workspace had.
 * Without groups if workspaces have none.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import {
  findControllers,
  groupFolders,
  type Controllers,
} from "#apps/provisioner/drivers/process/sandbox/control-groups/find-controllers.ts";
import { groupWrites, processorTime, removeGroups } from "#apps/provisioner/drivers/process/sandbox/control-groups/limits.ts";
import { countMemoryKills } from "#apps/provisioner/drivers/process/sandbox/control-groups/usage.ts";
import { dealMemory } from "#apps/provisioner/engines/n8n/n8n-memory.ts";
import { endBare, startBare } from "../start-bare.ts";

export interface BoundedN8n {
  url: string;
  /** While the workspace's calls run: records how much processor time it gets, which changes with the host's load. */
  noting<Result>(calls: () => Promise<Result>): Promise<Result>;
  /** While its own calls run: gives it what was recorded last, at the same moments. */
  replaying<Result>(calls: () => Promise<Result>): Promise<Result>;
  /** Why its calls failed, in words, and whether the kernel killed one of its processes for using too much memory. */
  explain(error: Error): Promise<string>;
  stop(): Promise<void>;
}

/** As workspaces have. */
const tasks = 512;
const cpusAtStart = 2;
/** The control plane itself checks once a second. */
const lookEveryMs = 50;

/**
 * @param like the name of the workspace's groups; undefined if this host sets no limits.
 * @param memoryMb of the workspace's plan. Throws if the workspace's limit differs.
 */
export async function startBounded(like: string | undefined, memoryMb: number): Promise<BoundedN8n> {
  const controllers = like === undefined ? undefined : findControllers();
  const boundMb = controllers ? memoryOf(controllers, like!) : memoryMb;
  if (boundMb !== memoryMb) throw new Error(`the workspace is bounded to ${boundMb} MB instead of ${memoryMb}`);
  const { mainHeapMb, runnerHeapMb } = dealMemory(memoryMb);
  const group = `bench-${process.pid}`;
  const bare = await startBare({
    flags: [`--max-old-space-size=${mainHeapMb}`],
    env: { N8N_RUNNERS_MAX_OLD_SPACE_SIZE: String(runnerHeapMb) },
    before: controllers ? enter(controllers, group, memoryMb) : [],
  });
  return {
    url: `http://${bare.run.address}`,
    ...(controllers
      ? sameTime(processorTime(controllers, like!, 1)[0], processorTime(controllers, group, 1)[0])
      : { noting: (calls) => calls(), replaying: (calls) => calls() }),
    explain: async ({ message }) => {
      const wasKilled = controllers !== undefined && countMemoryKills(controllers, group) > 0;
      return wasKilled
        ? `the bare n8n used more than its ${memoryMb} MB, and the kernel killed one of its processes: ${message}`
        : `the bare n8n failed: ${message}`;
    },
    stop: async () => {
      await endBare(bare);
      if (!controllers) return;
      endRest(controllers, group);
      await removeGroups(controllers, group);
    },
  };
}

function sameTime(workspaceFile: string, bareFile: string): Pick<BoundedN8n, "noting" | "replaying"> {
  let noted: { atMs: number; bound: string }[] = [];
  const during = async <Result>(calls: () => Promise<Result>, look: (sinceMs: number) => void): Promise<Result> => {
    const startMs = performance.now();
    look(0);
    const timer = setInterval(() => look(performance.now() - startMs), lookEveryMs);
    return calls().finally(() => clearInterval(timer));
  };
  return {
    noting: (calls) => {
      noted = [];
      return during(calls, (atMs) => {
        // The file is gone if the workspace ended: then its calls fail with more details.
        if (existsSync(workspaceFile)) noted.push({ atMs, bound: readFileSync(workspaceFile, "utf8").trim() });
      });
    },
    replaying: (calls) => {
      let written: string | undefined;
      return during(calls, (sinceMs) => {
        const { bound } = noted.findLast(({ atMs }) => atMs <= sinceMs)!;
        // Each write gives the group its whole quota again, even for an unchanged value: written at every check, it got twice its limit.
        if (bound !== written) writeFileSync(bareFile, bound);
        written = bound;
      });
    },
  };
}

/** Kills what is left in the group: the code runner outlives an n8n that the kernel killed. */
function endRest(controllers: Controllers, group: string): void {
  for (const pid of readFileSync(join(groupFolders(controllers, group)[0]!, "cgroup.procs"), "utf8")
    .split("\n")
    .filter(Boolean)) {
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // Gone already.
    }
  }
}

function memoryOf(controllers: Controllers, group: string): number {
  const file = join(groupFolders(controllers, group)[0]!, controllers.version === 2 ? "memory.max" : "memory.limit_in_bytes");
  return Math.round(Number(readFileSync(file, "utf8")) / (1024 * 1024));
}

/** The words before the command: a shell that enters the groups and executes the command. */
function enter(controllers: Controllers, group: string, memoryMb: number): string[] {
  for (const folder of groupFolders(controllers, group)) mkdirSync(folder, { recursive: true });
  const entered: string[] = [];
  for (const [name, value] of groupWrites(controllers, group, { memoryMb, cpus: cpusAtStart, tasks }, availableParallelism())) {
    const file = name.replace(/\?$/, "");
    if (value === "self") entered.push(file);
    else if (file === name || existsSync(file)) writeFileSync(file, value);
  }
  return ["/bin/sh", "-c", 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; exec "$@"', "sh", ...entered, "--"];
}
