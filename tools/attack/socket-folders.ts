/** Where the embedded database listens, from the kernel's own list and not from where it should be. */
import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";

/** Paths of sockets of a database whose data lies below `dataDir`. */
export function findSocketFolders(dataDir: string): string[] {
  const short = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  const paths = readFileSync("/proc/net/unix", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/)[7] ?? "");
  return [...new Set(paths.filter((path) => path.includes(".s.PGSQL.") && (path.startsWith(dataDir) || path.includes(short))))];
}
