/**
 * The engine processes of a data folder's workspaces, without processes that make or hold a sandbox: found by their environment, or, in a
 * sandbox that shows them other paths, by the command of the process that holds it.
 */
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { readKernelFile } from "#platform/host/kernel-file.ts";
import { parseStat } from "#apps/provisioner/drivers/process/running/process-table.ts";

/** Their process ids, or those of one workspace. Linux only, and for processes that this user may look at. */
export function workspaceProcesses(dataDir: string, workspaceId = ""): number[] {
  const folder = `${dataDir}/workspaces/${workspaceId}`;
  const isIn = (pid: string): boolean => {
    if (`\0${readKernelFile(`/proc/${pid}/environ`)}`.includes(`\0N8N_USER_FOLDER=${folder}`)) return true;
    const holder = /^PPid:\t(\d+)/m.exec(readKernelFile(`/proc/${pid}/status`))?.[1];
    return readKernelFile(`/proc/${holder}/cmdline`).includes(`\0--bind\0${folder}`);
  };
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const isEngine = (pid: string): boolean => isOfAnEngine(readKernelFile(`/proc/${pid}/cmdline`).split("\0")) && isIn(pid);
  return pids.filter(isEngine).map(Number);
}

function isOfAnEngine([program, ...args]: string[]): boolean {
  return basename(program!) === "node" && args.some((part) => part.endsWith("/n8n/bin/n8n"));
}

/** The stand-in engine's name for its process: its start time, because process ids are different inside a sandbox. */
export function instanceOf(pid: number | undefined): number {
  return Number(parseStat(readKernelFile(`/proc/${pid}/stat`))?.started);
}
