/** Which engine processes run for the workspaces of a data folder, whoever knows of them: read from their environment. Not those that make or hold a sandbox. */
import { readFileSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import { parseStat } from "#apps/provisioner/drivers/process/running/process-table.ts";

/** Their process ids. Linux only, and for processes that this user may look at. */
export function workspaceProcesses(dataDir: string): number[] {
  const mark = `\0N8N_USER_FOLDER=${dataDir}/workspaces/`;
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const isEngine = (pid: string): boolean =>
    isOfAnEngine(readOr(`/proc/${pid}/cmdline`).split("\0")) && `\0${readOr(`/proc/${pid}/environ`)}`.includes(mark);
  return pids.filter(isEngine).map(Number);
}

function isOfAnEngine([program, ...args]: string[]): boolean {
  return basename(program!) === "node" && args.some((part) => part.endsWith("/n8n/bin/n8n"));
}

/** What a stand-in engine calls itself, by its process: when that began, for in a sandbox processes are counted anew. */
export function instanceOf(pid: number | undefined): number {
  return Number(parseStat(readOr(`/proc/${pid}/stat`))?.started);
}

function readOr(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
