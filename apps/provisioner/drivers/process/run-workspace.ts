/** Brings one workspace to its spec. Every step can be repeated and allows for other workers. */
import { access, constants } from "node:fs/promises";
import type { RunObservation, RunSpec } from "../driver.ts";
import { DriverFailure } from "../driver.ts";
import { movePlaces } from "../container/launch-order.ts";
import { type FilledSpec, fillTemplates, usesReady } from "../fill-templates.ts";
import { hashRunSpec } from "../hash-run-spec.ts";
import { stopProcesses, type Belongings } from "./running/end-processes.ts";
import { refuseBelowFloor } from "./host/hold-host.ts";
import { isThere, observeWorkspace } from "./observe-workspace.ts";
import { prepareFolder } from "./storage/prepare-folder.ts";
import type { ProcessHost } from "./host/process-host.ts";
import { readyDescriptor, type Launch } from "./running/launch-process.ts";
import { folderMark, isAlive, readRecord, type LaunchNote, type ProcessRecord } from "./running/process-record.ts";
import type { Owner } from "./host/run-program.ts";
import { settleLock, startProcess, type Exit, type Started } from "./running/start-process.ts";
import { readOnlyDisks } from "./sandbox/read-only.ts";
import { dataInView, placesInView } from "./sandbox/view-places.ts";
import type { WorkspacePaths } from "./storage/workspace-paths.ts";
import { removeFiles, writeFiles } from "./storage/write-files.ts";

/** Two workers on one host can get in each other's way a few times, but not forever. */
const startTries = 4;

/** Starts the workspace from this spec unless it already runs from it; a process of another spec is stopped first. */
export async function runWorkspace(host: ProcessHost, spec: RunSpec): Promise<RunObservation> {
  const specHash = hashRunSpec(spec);
  for (let tries = 0; tries < startTries; tries += 1) {
    const record = await readRecord(host.paths(spec.workspaceId));
    if (record?.specHash === specHash && (await isAlive(record))) return observeWorkspace(host, spec.workspaceId);
    await stopWorkspace(host, spec.workspaceId, spec.stopTimeoutMs);
    const broken = await readOnlyDisks(host.paths(spec.workspaceId));
    try {
      if (await startWorkspace(host, spec, specHash, broken)) return await observeWorkspace(host, spec.workspaceId);
    } catch (error) {
      const brokenNow = await readOnlyDisks(host.paths(spec.workspaceId));
      // A disk that met an error shows it only at the first write after it, which was this start's. The next one repairs it.
      if (!brokenNow.some((disk) => !broken.includes(disk))) throw error;
      continue;
    }
    await settleLock(host.paths(spec.workspaceId));
  }
  throw new DriverFailure("start_failed", "another process holds the workspace's lock and could not be removed");
}

/** Stops the workspace and keeps its data. Does nothing if it is not running. */
export async function stopWorkspace(host: ProcessHost, workspaceId: string, stopTimeoutMs?: number): Promise<void> {
  const paths = host.paths(workspaceId);
  host.ready.forget(workspaceId);
  const record = await readRecord(paths);
  if (record === undefined) return;
  await stopProcesses({ folder: paths.root, record, ...killable(host, record) }, stopTimeoutMs ?? record.stopTimeoutMs);
  const child = host.children.get(workspaceId);
  if (child?.record.pid === record.pid) await child.ended;
  host.exits.announce(workspaceId, record.pid);
}

/** What is needed to end the recorded process and all others of its user, frozen or not. */
export function killable({ sandbox }: ProcessHost, { uid, sandboxed }: ProcessRecord): Pick<Belongings, "uid" | "thaw"> {
  return { uid, ...(sandboxed && uid !== undefined && { thaw: () => sandbox?.freezer?.thaw({ uid }) }) };
}

/** One start of a workspace: from which spec, where, and as which user. */
interface Start {
  host: ProcessHost;
  spec: RunSpec;
  specHash: string;
  paths: WorkspacePaths;
  owner: Owner | undefined;
  /** The disks that wait for a repair. */
  broken: readonly string[];
}

/** False if another process of this workspace holds the lock. */
async function startWorkspace(host: ProcessHost, spec: RunSpec, specHash: string, broken: readonly string[]): Promise<boolean> {
  const start: Start = { host, spec, specHash, paths: host.paths(spec.workspaceId), owner: host.owner(spec.workspaceNumber), broken };
  await refuseWithoutRoom(start);
  await prepareFolder(start.paths, start.owner, host.sandbox);
  const { ports, address } = await reserveAddress(start);
  await checkProgram(spec.command[0]!);
  const seen = seenInside(start);
  const filled = fillTemplates(seen.spec, { folder: seen.folder, ports, address, ready: readyDescriptor });
  await placeFiles(start, filled);
  const note = await writeNote(start, `${address}:${ports[spec.ports[0]]}`);
  host.shares?.forget(spec.workspaceId);
  host.ready.forget(spec.workspaceId);
  const launch = { paths: start.paths, note, spec: filled, saysReady: usesReady(spec), tools: host.tools, ...enclose(start, address) };
  const started = await startProcess(launch, host.clock, (record, exit) => noteEnded(start, record, exit));
  if (started === undefined) return false;
  noteStarted(start, started);
  return true;
}

/** On a full disk, no new workspace is launched, nor any whose disks still wait for their repair. */
async function refuseWithoutRoom({ host, paths, broken }: Start): Promise<void> {
  if (!(await isThere(paths.data))) await refuseBelowFloor(host, "a new workspace is not launched");
  if (broken.length > 0) await refuseBelowFloor(host, "the workspace's disk is not repaired yet");
}

async function reserveAddress({ host, spec, paths, owner }: Start): Promise<{ ports: Record<string, number>; address: string }> {
  const ports = await host.ports.reserve(spec.workspaceId, spec.ports);
  return { ports, address: host.sandbox && owner ? await host.sandbox.reserveAddress(paths, owner) : "127.0.0.1" };
}

/** Checked first: after all other steps of a launch, the error would come late. */
async function checkProgram(program: string): Promise<void> {
  await access(program, constants.X_OK).catch((error: unknown) => {
    throw new DriverFailure("start_failed", `the program could not be run: ${(error as Error).message}`, { cause: error });
  });
}

/** The spec as its process is to see it, and where it finds its data: a sandbox shows data, engines and Node at other places. */
function seenInside({ host: { sandbox, places }, spec, owner, paths }: Start): { spec: FilledSpec; folder: string } {
  if (!sandbox || !owner) return { spec, folder: paths.data };
  return { spec: places ? movePlaces(spec, places, placesInView(places)) : spec, folder: dataInView };
}

async function placeFiles({ spec, paths, owner }: Start, { files }: FilledSpec): Promise<void> {
  await removeFiles(paths.data, spec.absent ?? [], owner);
  await writeFiles(paths.data, files, owner);
}

async function writeNote({ host, spec, specHash, paths, owner }: Start, address: string): Promise<LaunchNote> {
  return {
    specHash,
    generation: spec.generation,
    stopTimeoutMs: spec.stopTimeoutMs,
    bootId: host.tools.bootId,
    address,
    startedAt: host.clock.now().toISOString(),
    folder: await folderMark(paths),
    ...(owner && { uid: owner.uid }),
    ...(host.sandbox && owner && { sandboxed: true }),
  };
}

function enclose({ host: { sandbox }, spec, paths, owner }: Start, address: string): Pick<Launch, "sandbox"> {
  if (!sandbox || !owner) return {};
  return {
    sandbox: {
      enclosure: sandbox.enclosure(owner, address, spec.memoryMb),
      view: sandbox.view(paths),
      wasOutOfMemory: () => sandbox.wasOutOfMemory(owner),
    },
  };
}

function noteStarted({ host, spec: { workspaceId } }: Start, started: Started): void {
  host.children.set(workspaceId, started);
  host.exits.noteRunning(workspaceId, started.record);
  host.log.info({ workspaceId, pid: started.record.pid, address: started.record.address }, "a workspace's process started");
}

function noteEnded({ host, spec: { workspaceId } }: Start, { pid }: ProcessRecord, { code, signal }: Exit): void {
  host.log.info({ workspaceId, pid, code, signal }, "a workspace's process ended");
  if (host.children.get(workspaceId)?.record.pid === pid) host.children.delete(workspaceId);
  host.exits.announce(workspaceId, pid);
}
