/** Brings one workspace to its spec. Every step can be repeated and allows for other workers. */
import { access, constants } from "node:fs/promises";
import type { RunObservation, RunSpec } from "../driver.ts";
import { DriverFailure } from "../driver.ts";
import { fillTemplates } from "../fill-templates.ts";
import { hashRunSpec } from "../hash-run-spec.ts";
import { stopProcesses } from "./running/end-processes.ts";
import { refuseBelowFloor } from "./host/hold-host.ts";
import { isThere, observeWorkspace } from "./observe-workspace.ts";
import { prepareFolder } from "./storage/prepare-folder.ts";
import type { ProcessHost } from "./host/process-host.ts";
import type { Launch } from "./running/launch-process.ts";
import { folderMark, isAlive, readRecord } from "./running/process-record.ts";
import type { Owner } from "./host/run-program.ts";
import { settleLock, startProcess } from "./running/start-process.ts";
import { isReadOnly } from "./sandbox/read-only.ts";
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
    if (await startWorkspace(host, spec, specHash)) return observeWorkspace(host, spec.workspaceId);
    await settleLock(host.paths(spec.workspaceId));
  }
  throw new DriverFailure("start_failed", "another process holds the workspace's lock and could not be removed");
}

/** Stops the workspace and keeps its data. Does nothing if it is not running. */
export async function stopWorkspace(host: ProcessHost, workspaceId: string, stopTimeoutMs?: number): Promise<void> {
  const paths = host.paths(workspaceId);
  const record = await readRecord(paths);
  if (record === undefined) return;
  await stopProcesses({ folder: paths.root, record, uid: record.uid }, stopTimeoutMs ?? record.stopTimeoutMs);
  const child = host.children.get(workspaceId);
  if (child?.record.pid === record.pid) await child.ended;
  host.exits.announce(workspaceId, record.pid);
}

async function startWorkspace(host: ProcessHost, spec: RunSpec, specHash: string): Promise<boolean> {
  const { workspaceId, stopTimeoutMs } = spec;
  const paths = host.paths(workspaceId);
  const owner = host.owner(spec.workspaceNumber);
  if (!(await isThere(paths.data))) await refuseBelowFloor(host, "a new workspace is not launched");
  if (await isReadOnly(paths.data)) await refuseBelowFloor(host, "the workspace's disk is not repaired yet");
  await prepareFolder(paths, owner, host.sandbox);
  const ports = await host.ports.reserve(workspaceId, spec.ports);
  const address = host.sandbox && owner ? await host.sandbox.reserveAddress(paths, owner) : "127.0.0.1";
  const filled = fillTemplates(spec, { folder: paths.data, ports, address });
  await checkProgram(filled.command[0]!);
  await removeFiles(paths.data, spec.absent ?? [], owner);
  await writeFiles(paths.data, filled.files, owner);
  const note = {
    specHash,
    generation: spec.generation,
    stopTimeoutMs,
    bootId: host.tools.bootId,
    address: `${address}:${ports[spec.ports[0]]}`,
    startedAt: host.clock.now().toISOString(),
    folder: await folderMark(paths),
    ...(owner && { uid: owner.uid }),
    ...(host.sandbox && owner && { sandboxed: true }),
  };
  host.shares?.forget(workspaceId);
  const launch = { paths, note, spec: filled, tools: host.tools, ...enclose(host, paths, owner, address, spec.memoryMb) };
  const started = await startProcess(launch, host.clock, (record, exit) => {
    host.log.info({ workspaceId, pid: record.pid, code: exit.code, signal: exit.signal }, "a workspace's process ended");
    if (host.children.get(workspaceId)?.record.pid === record.pid) host.children.delete(workspaceId);
    host.exits.announce(workspaceId, record.pid);
  });
  if (started === undefined) return false;
  host.children.set(workspaceId, started);
  host.exits.noteRunning(workspaceId, started.record);
  host.log.info({ workspaceId, pid: started.record.pid, address: note.address }, "a workspace's process started");
  return true;
}

/** Checked first: behind all other steps of a launch, the error would come only after a while. */
async function checkProgram(program: string): Promise<void> {
  await access(program, constants.X_OK).catch((error: unknown) => {
    throw new DriverFailure("start_failed", `the program could not be run: ${(error as Error).message}`, { cause: error });
  });
}

function enclose(
  { sandbox }: ProcessHost,
  paths: WorkspacePaths,
  owner: Owner | undefined,
  address: string,
  memoryMb: number,
): Pick<Launch, "sandbox"> {
  if (!sandbox || !owner) return {};
  return {
    sandbox: {
      enclosure: sandbox.enclosure(owner, address, memoryMb),
      view: sandbox.view(paths),
      wasOutOfMemory: () => sandbox.wasOutOfMemory(owner),
    },
  };
}
