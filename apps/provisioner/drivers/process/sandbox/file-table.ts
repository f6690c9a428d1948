/**
 * The host's table of open files has one size for all. Where it is small, one workspace's processes can fill it together, and then nobody
 * but root opens a file: not the database either. What a workspace opens counts as its memory, so the table itself needs no end.
 */
import { readFileSync, writeFileSync } from "node:fs";

const tableFile = "/proc/sys/fs/file-max";
/** What systemd sets at each start of a host. */
const endless = "9223372036854775807";

/** Files that one process of a workspace may have open; n8n uses about 60, and the host's default can be a million. */
const mostFiles = 16_384;
/** A busy n8n: a thousand calls at once. */
const leastFiles = 1_024;
/** Of the table, for one workspace, where it could not be widened. */
const share = 0.5;

/** Gives the table no end. A host that does not allow that keeps its own: then each process may open less. */
export function widenFileTable(): void {
  if (readTableSize() >= Number(endless)) return;
  try {
    writeFileSync(tableFile, endless);
  } catch {
    // /proc/sys is read-only in many containers.
  }
}

/** How many files one of so many processes may have open, by the size of the table. */
export function openFilesFor(processes: number, tableSize = readTableSize()): number {
  return Math.max(leastFiles, Math.min(mostFiles, Math.floor((tableSize * share) / processes)));
}

/** Infinity where nothing is known of a table. */
function readTableSize(): number {
  try {
    return Number(readFileSync(tableFile, "utf8"));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
