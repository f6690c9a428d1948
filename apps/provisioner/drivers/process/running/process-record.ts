/**
 * Which process is the workspace's. The process writes this itself before it becomes the engine, so that no death of
 * the control plane can lie between a process and the knowledge of it.
 */
import { readFile, rename, stat, writeFile } from "node:fs/promises";
import type { RunObservation } from "../../driver.ts";
import { hasCode } from "../driver-trouble.ts";
import { findHostTools } from "../host/host-tools.ts";
import { findProcess, parseStat } from "./process-table.ts";
import type { WorkspacePaths } from "../storage/workspace-paths.ts";

/** What the control plane tells the process to write down about itself. */
export interface LaunchNote {
  specHash: string;
  generation: number;
  bootId: string;
  address: string;
  startedAt: string;
  stopTimeoutMs: number;
  /** Of `folderMark`: in a copy of the folder the record speaks of another one's process. Absent in records of old. */
  folder?: string;
  /** The workspace's own user, where it has one. */
  uid?: number;
  /** Whether it stands in a sandbox: then the recorded process only waits for the engine, and reports how it ended. */
  sandboxed?: boolean;
}

export interface ProcessRecord extends LaunchNote {
  pid: number;
  started: string;
}

interface ExitRecord {
  pid: number;
  started: string;
  code: number | null;
  signal: string | null;
  at: string;
  outOfMemory?: boolean;
}

/** Names a workspace's folder for as long as it is there, wherever it is moved on its file system; no copy has the same. */
export async function folderMark({ root }: WorkspacePaths): Promise<string> {
  const { dev, ino } = await stat(root, { bigint: true });
  return `${dev}:${ino}`;
}

/** Whether what bears this mark was written for this very folder; without a mark it was written by an older release. */
export const isOfFolder = async (paths: WorkspacePaths, mark: string | undefined): Promise<boolean> =>
  mark === undefined || mark === (await folderMark(paths));

/** The last process started for this workspace, alive or not; undefined when there was none, and in a copy of its folder. */
export async function readRecord(paths: WorkspacePaths): Promise<ProcessRecord | undefined> {
  const text = await readIfPresent(paths.record);
  if (text === undefined) return undefined;
  const [pid, own = "", note = ""] = text.split("\n");
  try {
    // A stat line that shows a dead process cannot have been written by one: then it is ps's date.
    const record = { ...(JSON.parse(note) as LaunchNote), pid: Number(pid), started: parseStat(own)?.started ?? own.trim() };
    return (await isOfFolder(paths, record.folder)) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the recorded process still runs, and is not another one that was given its id later. */
export async function isAlive(record: ProcessRecord): Promise<boolean> {
  if (record.bootId !== findHostTools().bootId) return false;
  const entry = await findProcess(record.pid);
  return entry?.started === record.started;
}

/** Writes down how the recorded process ended. */
export async function writeExit(paths: WorkspacePaths, record: ProcessRecord, exit: NonNullable<RunObservation["exit"]>): Promise<void> {
  const { pid, started } = record;
  const ended: ExitRecord = {
    pid,
    started,
    code: exit.code,
    signal: exit.signal,
    at: exit.at.toISOString(),
    ...(exit.outOfMemory && { outOfMemory: true }),
  };
  await writeFile(`${paths.exit}.new`, JSON.stringify(ended), { mode: 0o600 });
  await rename(`${paths.exit}.new`, paths.exit);
}

/** How the recorded process ended, if its parent lived to see it. */
export async function readExit(paths: WorkspacePaths, record: ProcessRecord): Promise<RunObservation["exit"]> {
  const text = await readIfPresent(paths.exit);
  if (text === undefined) return undefined;
  try {
    const ended = JSON.parse(text) as ExitRecord;
    if (ended.pid !== record.pid || ended.started !== record.started) return undefined;
    return { code: ended.code, signal: ended.signal, at: new Date(ended.at), ...(ended.outOfMemory && { outOfMemory: true }) };
  } catch {
    return undefined;
  }
}

/** The file's text, or undefined when it is not there. */
export async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}
