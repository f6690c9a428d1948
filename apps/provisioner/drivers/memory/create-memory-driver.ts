/**
 * Simulates workspaces without processes, for tests of code that uses drivers, and for measurements with more workspaces than a machine can
 * run.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { after, type Clock } from "#platform/clock.ts";
import { seededRandom } from "#platform/seeded-random.ts";
import { checkRunSpec, checkStorage, checkWorkspaceId } from "../check-run-spec.ts";
import { DriverFailure, numberTaken, type Driver, type RunObservation, type RunSpec, type RunUsage } from "../driver.ts";
import { fillTemplates, usesReady } from "../fill-templates.ts";
import { hashRunSpec } from "../hash-run-spec.ts";
import { newestText } from "../newest-text.ts";
import { createOneAtATime } from "../one-at-a-time.ts";
import { isWithin, packMemory, unpackMemory } from "./memory-storage.ts";
import type { MemoryRun, MemoryWorkspace, MemoryWorld } from "./memory-world.ts";
import { startPretendServer, type PretendServer, type PretendState } from "./pretend-server.ts";

interface MemoryDriverOptions {
  world: MemoryWorld;
  clock: Clock;
  /** From start to first answer, plus or minus up to `startJitterMs`, by the given clock. 0 by default. */
  startDelayMs?: number;
  startJitterMs?: number;
  /** The same seed gives the same delays in the same order. */
  seed?: number;
  /** Gives each workspace a real port on loopback that answers 200. Without it, addresses lead nowhere. */
  listen?: boolean;
  /** False: workspaces with `{{ready}}` do not report that they are ready after their start-up delay; only the simulated world does. */
  saysReady?: boolean;
  /** False: a host that cannot freeze workspaces. */
  canFreeze?: boolean;
}

/** A driver over a simulated host; several may share one. */
export function createMemoryDriver(options: MemoryDriverOptions): Driver {
  const { world } = options;
  const inTurn = createOneAtATime();
  const random = seededRandom(options.seed ?? 1);
  const freezeInTurn = (on: boolean) => async (workspaceId: string) => {
    checkWorkspaceId(workspaceId);
    return inTurn(workspaceId, async () => {
      world.freeze(workspaceId, on);
      return observe(world.workspaces.get(workspaceId));
    });
  };
  return {
    name: "memory",
    ensure: async (spec) => {
      checkRunSpec(spec);
      return inTurn(spec.workspaceId, () => ensure(options, random, spec));
    },
    observe: async (workspaceId) => {
      checkWorkspaceId(workspaceId);
      return observe(world.workspaces.get(workspaceId));
    },
    ...(options.canFreeze === false
      ? { cannotFreeze: "the simulated host has no freezer" }
      : {
          freeze: freezeInTurn(true),
          pageOut: async (workspaceId: string) => {
            checkWorkspaceId(workspaceId);
            const run = world.workspaces.get(workspaceId)?.run;
            if (run && !run.frozen) run.pagedOut = true;
          },
        }),
    thaw: freezeInTurn(false),
    reassign: async (spec) => {
      checkRunSpec(spec);
      return inTurn(spec.workspaceId, async () => reassign(options, spec));
    },
    shortOf: () => world.shortOf,
    listRunning: async () => new Set([...world.workspaces].filter(([, { run }]) => run).map(([id]) => id)),
    listStored: async () => [...world.workspaces.keys()],
    listNumbers: async () => new Map([...world.workspaces].flatMap(([id, { number }]) => (number === undefined ? [] : [[id, number]]))),
    end: async (workspaceId) => {
      checkWorkspaceId(workspaceId);
      await inTurn(workspaceId, async () => {
        if (world.workspaces.has(workspaceId)) world.freeze(workspaceId, false);
        world.end(workspaceId, { code: null, signal: "SIGTERM" });
      });
    },
    remove: async (workspaceId) => {
      checkWorkspaceId(workspaceId);
      await inTurn(workspaceId, async () => {
        world.end(workspaceId, { code: null, signal: "SIGKILL" });
        world.workspaces.delete(workspaceId);
      });
    },
    readStorage: async (place, paths) => {
      checkStorage(place, paths);
      return packMemory(world.workspaces.get(place.workspaceId)?.storage ?? new Map(), paths);
    },
    replaceStorage: async (place, paths, archive) => {
      checkStorage(place, paths);
      await inTurn(place.workspaceId, async () => {
        const workspace = world.workspaces.get(place.workspaceId) ?? newWorkspace();
        if (workspace.lacksRoom) throw new DriverFailure("no_room", "no space left on the simulated disk");
        if (workspace.run) throw new DriverFailure("storage_failed", "the workspace runs");
        const arrived = await unpackMemory(archive);
        world.workspaces.set(place.workspaceId, workspace);
        for (const path of workspace.storage.keys()) if (isWithin(path, paths)) workspace.storage.delete(path);
        for (const [path, content] of arrived) if (isWithin(path, paths)) workspace.storage.set(path, content);
      });
    },
    hasRoomToReplace: async ({ workspaceId }) => world.workspaces.get(workspaceId)?.lacksRoom !== true,
    logs: async (workspaceId, maxBytes) => {
      checkWorkspaceId(workspaceId);
      return newestText(Buffer.from(world.workspaces.get(workspaceId)?.output ?? ""), maxBytes);
    },
    readySignal: (workspaceId) => {
      checkWorkspaceId(workspaceId);
      return world.workspaces.get(workspaceId)?.run?.ready ?? nothingSaid;
    },
    endStart: (workspaceId) => {
      const run = world.workspaces.get(workspaceId)?.run;
      if (run) run.ready = createReadySignal(run.spec);
    },
    usage: async (workspaceIds) => {
      const running = workspaceIds.filter((id) => world.workspaces.get(id)?.run);
      return new Map(running.map((id) => [id, usageOf(world.get(id))]));
    },
    watch: (onExit) => world.listen(onExit),
  };
}

async function ensure(options: MemoryDriverOptions, random: () => number, spec: RunSpec): Promise<RunObservation> {
  const { world } = options;
  const workspace = world.workspaces.get(spec.workspaceId) ?? newWorkspace();
  const holder = [...world.workspaces].find(([id, { number }]) => id !== spec.workspaceId && number === spec.workspaceNumber)?.[0];
  if (holder !== undefined) throw numberTaken(spec.workspaceNumber, holder);
  workspace.number = spec.workspaceNumber;
  world.workspaces.set(spec.workspaceId, workspace);
  const specHash = hashRunSpec(spec);
  if (spec.run && workspace.run?.specHash === specHash) return observe(workspace);
  await stop(world, spec);
  if (spec.run) await start(options, random, spec, specHash);
  return observe(workspace);
}

function reassign({ world, clock }: MemoryDriverOptions, spec: RunSpec): RunObservation {
  const workspace = world.workspaces.get(spec.workspaceId);
  if (workspace?.run === undefined) throw new DriverFailure("start_failed", "the simulated workspace does not run");
  const { folder, ports } = workspace.run;
  const filled = fillTemplates(spec, { folder, ports, address: "127.0.0.1" });
  Object.assign(workspace.run, { spec, specHash: hashRunSpec(spec), filled, startedAt: clock.now() });
  workspace.output = "";
  return observe(workspace);
}

/** As much as an idle n8n. */
const pretendMemoryMb = 430;
/** What a frozen n8n kept in memory, and the share that its other pages took compressed with lz4 (measured, 2.40.7). */
const frozenMb = 7;
const compressedShare = 0.41;
/** What a running one kept in memory. */
const pagedOutMb = 43;

function usageOf({ run, memoryMb = pretendMemoryMb }: MemoryWorkspace): RunUsage {
  if (!run?.frozen && !run?.pagedOut) return { memoryMb };
  const swappedMb = Math.max(0, memoryMb - (run.frozen ? frozenMb : pagedOutMb));
  return { memoryMb: memoryMb - swappedMb, swappedMb, compressedMb: Math.round(swappedMb * compressedShare) };
}

const newWorkspace = (): MemoryWorkspace => ({ storage: new Map(), output: "", unresponsive: false, stubborn: false });

async function stop(world: MemoryWorld, spec: RunSpec): Promise<void> {
  const workspace = world.get(spec.workspaceId);
  world.freeze(spec.workspaceId, false);
  if (workspace.run && workspace.stubborn) await sleep(spec.stopTimeoutMs);
  world.end(spec.workspaceId, workspace.stubborn ? { code: null, signal: "SIGKILL" } : { code: 0, signal: null });
}

async function start(options: MemoryDriverOptions, random: () => number, spec: RunSpec, specHash: string): Promise<void> {
  const { world, clock, startDelayMs = 0, startJitterMs = 0 } = options;
  const { workspaceId } = spec;
  const workspace = world.get(workspaceId);
  const folder = `/memory/${workspaceId}`;
  // A dry run: a spec that cannot be filled in is refused before a port is opened for it.
  const own = { folder, address: "127.0.0.1", ready: 3 };
  fillTemplates(spec, { ...own, ports: pretendPorts(spec, undefined) });
  const instance = world.nextInstance();
  const server = options.listen
    ? await startPretendServer(
        () => stateOf(world, workspaceId),
        () => ({ workspaceId, specHash: workspace.run?.specHash ?? specHash, instance }),
      )
    : undefined;
  const place = { ...own, ports: pretendPorts(spec, server) };
  const filled = fillTemplates(spec, place);
  for (const path of spec.absent ?? []) workspace.storage.delete(path);
  for (const file of filled.files) workspace.storage.set(file.path, file.content);
  const startedAt = clock.now();
  const delayMs = Math.max(0, startDelayMs + (random() * 2 - 1) * startJitterMs);
  // `.invalid` never resolves (RFC 2606); a made-up loopback port could belong to another program.
  const address = `${server ? own.address : "memory.invalid"}:${place.ports[spec.ports[0]]}`;
  workspace.run = {
    instance,
    spec,
    specHash,
    filled,
    ...place,
    address,
    startedAt,
    readyAt: after(startedAt, delayMs),
    ready: createReadySignal(spec),
    ...(server && { server }),
  };
  if (options.saysReady !== false) sayLater(workspace.run, delayMs);
  delete workspace.exit;
  delete workspace.endedWithHost;
  world.write(workspaceId, `started ${instance}\n`);
}

/** Of a workspace that does not run. */
const nothingSaid = { heard: true, told: Promise.resolve() };

function createReadySignal(spec: RunSpec): MemoryRun["ready"] {
  const { promise: told, resolve } = Promise.withResolvers<void>();
  const signal = {
    heard: !usesReady(spec),
    told,
    tell: () => {
      signal.heard = true;
      resolve();
    },
  };
  return signal;
}

/** By the machine's time: with a stopped clock it reports too early, as a workspace may. */
function sayLater({ ready }: MemoryRun, delayMs: number): void {
  if (delayMs === 0) ready.tell();
  else setTimeout(ready.tell, delayMs).unref();
}

function pretendPorts(spec: RunSpec, server: PretendServer | undefined): Record<string, number> {
  // Only the first is used; the others only have to be distinct numbers.
  return Object.fromEntries(spec.ports.map((name, index) => [name, index === 0 && server ? server.port : 20_000 + index]));
}

function stateOf(world: MemoryWorld, workspaceId: string): PretendState {
  if (world.answers(workspaceId)) return "answering";
  const workspace = world.workspaces.get(workspaceId);
  if (workspace?.run?.frozen) return "frozen";
  return workspace?.unresponsive ? "silent" : "starting";
}

function observe(workspace: MemoryWorkspace | undefined): RunObservation {
  if (workspace === undefined) return { state: "absent" };
  const { run, exit, endedWithHost } = workspace;
  if (run === undefined) return { state: "stopped", ...(exit && { exit }), ...(endedWithHost && { endedWithHost }) };
  const { specHash, address, startedAt, frozen } = run;
  return { state: "running", specHash, generation: run.spec.generation, address, startedAt, ...(frozen && { frozen }) };
}
