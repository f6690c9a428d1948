import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunObservation } from "../driver.ts";
import { hasCode } from "../driver-trouble.ts";
import { findHostTools } from "./host/host-tools.ts";
import type { ProcessHost } from "./host/process-host.ts";
import { isAlive, readExit, readRecord, type ProcessRecord } from "./running/process-record.ts";
import { isReadOnly } from "./sandbox/read-only.ts";
import type { WorkspacePaths } from "./storage/workspace-paths.ts";

/** A dead child is reported within moments, unless the host is overloaded or a thread of it hangs in the kernel. */
const endTimeoutMs = 5_000;

/** The current state, from the workspace's folder and the system's process list. */
export async function observeWorkspace(host: ProcessHost, workspaceId: string): Promise<RunObservation> {
  const paths = host.paths(workspaceId);
  const record = await readRecord(paths);
  if (record === undefined) return { state: (await isThere(paths.root)) ? "stopped" : "absent" };
  if (!(await isAlive(record))) return observeEnded(host, workspaceId, paths, record);
  host.exits.noteRunning(workspaceId, record);
  await host.boundOutput(workspaceId);
  const readOnly = await isReadOnly(paths.data);
  const { uid, sandboxed } = record;
  const frozen = sandboxed && uid !== undefined && host.sandbox?.freezer?.isFrozen({ uid });
  return {
    state: "running",
    specHash: record.specHash,
    generation: record.generation,
    address: record.address,
    startedAt: new Date(record.startedAt),
    ...(readOnly && { readOnly }),
    ...(frozen && { frozen }),
  };
}

async function observeEnded(host: ProcessHost, workspaceId: string, paths: WorkspacePaths, record: ProcessRecord): Promise<RunObservation> {
  const child = host.children.get(workspaceId);
  // The system shows a process as ended before it tells the parent how.
  if (child?.record.pid === record.pid) await Promise.race([child.ended, sleep(endTimeoutMs, undefined, { ref: false })]);
  const exit = await readExit(paths, record);
  const endedWithHost = !exit && record.bootId !== findHostTools().bootId;
  return { state: "stopped", ...(exit && { exit }), ...(endedWithHost && { endedWithHost }) };
}

/** Whether the folder exists. */
export async function isThere(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return false;
    throw error;
  }
}
