/**
 * The host has one table of open files. If it is small, the processes of one workspace together can fill it, and then only root can open a
 * file: not even the database. What a workspace opens counts as its memory, so the table itself needs no limit.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { mostOpenFiles } from "../../workspace-bounds.ts";

const tableFile = "/proc/sys/fs/file-max";
/** The value that systemd sets at each start of a host. */
const endless = "9223372036854775807";

/** Enough for a busy workspace: a thousand simultaneous calls. */
const leastFiles = 1_024;
/** The part of the table for one workspace, if the table could not be widened. */
const share = 0.5;

/** Removes the table's limit. If the host does not allow that, each process may open fewer files. */
export function widenFileTable(): void {
  if (readTableSize() >= Number(endless)) return;
  try {
    writeFileSync(tableFile, endless);
  } catch {
    // /proc/sys is read-only in many containers.
  }
}

/** How many files each of so many processes may have open, given the size of the table. */
export function openFilesFor(processes: number, tableSize = readTableSize()): number {
  return Math.max(leastFiles, Math.min(mostOpenFiles, Math.floor((tableSize * share) / processes)));
}

/** Infinity if the size is unknown. */
function readTableSize(): number {
  try {
    return Number(readFileSync(tableFile, "utf8"));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
