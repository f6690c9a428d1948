/**
 * Which process is the workspace's. The process writes this before it becomes the engine, so that a dying control plane never leaves a
 * process without a record.
 */
import { readFile, rename, stat, writeFile } from "node:fs/promises";
import type { RunObservation } from "../../driver.ts";
import { hasCode } from "../../driver-trouble.ts";
import { findHostTools } from "../host/host-tools.ts";
import { findProcess, parseStat } from "./process-table.ts";
import type { WorkspacePaths } from "../storage/workspace-paths.ts";

/** What the control plane tells the process to record. */
export interface LaunchNote {
  specHash: string;
  generation: number;
  bootId: string;
  address: string;
  startedAt: string;
  stopTimeoutMs: number;
  /** Of `folderMark`: in a copy of the folder, the record is about another folder's process. Absent in old records. */
  folder?: string;
  /** The workspace's own user, if it has one. */
  uid?: number;
  /** Whether it is in a sandbox: then the recorded process only waits for the engine and reports how it ended. */
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

/** Identifies a workspace's folder for as long as it exists, even if moved within its file system; a copy has another mark. */
export async function folderMark({ root }: WorkspacePaths): Promise<string> {
  const { dev, ino } = await stat(root, { bigint: true });
  return `${dev}:${ino}`;
}

/** Whether a note with this mark was written for this very folder; notes without a mark come from an older release. */
export const isOfFolder = async (paths: WorkspacePaths, mark: string | undefined): Promise<boolean> =>
  mark === undefined || mark === (await folderMark(paths));

/** The last process started for this workspace, alive or not; undefined if there was none, and in a copy of its folder. */
export async function readRecord(paths: WorkspacePaths): Promise<ProcessRecord | undefined> {
  const text = await readIfPresent(paths.record);
  if (text === undefined) return undefined;
  const [pid, own = "", note = ""] = text.split("\n");
  try {
    // A dead process cannot have written its own stat line: then the date comes from ps.
    const record = { ...(JSON.parse(note) as LaunchNote), pid: Number(pid), started: parseStat(own)?.started ?? own.trim() };
    return (await isOfFolder(paths, record.folder)) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Changes what was recorded at the start of the process, which stays the same. Written completely or not at all. */
export async function rewriteRecord(paths: WorkspacePaths, changes: Partial<LaunchNote>): Promise<void> {
  const [pid, own, note] = (await readFile(paths.record, "utf8")).split("\n");
  const changed = JSON.stringify({ ...(JSON.parse(note!) as LaunchNote), ...changes });
  await writeFile(`${paths.record}.new`, `${pid}\n${own}\n${changed}\n`, { mode: 0o600 });
  await rename(`${paths.record}.new`, paths.record);
}

/** Whether the recorded process still runs, and its id was not given to another process. */
export async function isAlive(record: ProcessRecord): Promise<boolean> {
  if (record.bootId !== findHostTools().bootId) return false;
  const entry = await findProcess(record.pid);
  return entry?.started === record.started;
}

/** Records how the recorded process ended. */
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

/** How the recorded process ended, if its parent was still alive then. */
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

/** The file's text, or undefined if it does not exist. */
export async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}
