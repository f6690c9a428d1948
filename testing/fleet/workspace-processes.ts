/** The engine processes of a data folder's workspaces, found by their environment, without processes that make or hold a sandbox. */
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { readKernelFile } from "#platform/host/kernel-file.ts";
import { parseStat } from "#apps/provisioner/drivers/process/running/process-table.ts";

/** Their process ids, or those of one workspace. Linux only, and for processes that this user may look at. */
export function workspaceProcesses(dataDir: string, workspaceId = ""): number[] {
  const mark = `\0N8N_USER_FOLDER=${dataDir}/workspaces/${workspaceId}`;
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const isEngine = (pid: string): boolean =>
    isOfAnEngine(readKernelFile(`/proc/${pid}/cmdline`).split("\0")) && `\0${readKernelFile(`/proc/${pid}/environ`)}`.includes(mark);
  return pids.filter(isEngine).map(Number);
}

function isOfAnEngine([program, ...args]: string[]): boolean {
  return basename(program!) === "node" && args.some((part) => part.endsWith("/n8n/bin/n8n"));
}

/** The stand-in engine's name for its process: its start time, because process ids are different inside a sandbox. */
export function instanceOf(pid: number | undefined): number {
  return Number(parseStat(readKernelFile(`/proc/${pid}/stat`))?.started);
}
