/** Which engine processes run for the workspaces of a data folder, whoever knows of them: read from their environment. */
import { readFileSync, readdirSync } from "node:fs";

/** Their process ids. Linux only, and for processes that this user may look at. */
export function workspaceProcesses(dataDir: string): number[] {
  const mark = `\0N8N_USER_FOLDER=${dataDir}/workspaces/`;
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const isEngine = (pid: string): boolean => readOr(`/proc/${pid}/cmdline`).split("\0").some((part) => part.endsWith("/n8n/bin/n8n")) && `\0${readOr(`/proc/${pid}/environ`)}`.includes(mark);
  return pids.filter(isEngine).map(Number);
}

function readOr(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
