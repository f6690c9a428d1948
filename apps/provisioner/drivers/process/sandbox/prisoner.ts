/**
 * A sandbox for a program of ours that reads files a tenant made: no network, no other processes, one writable folder, the system call
 * filter, and limits on memory, processes and processor time. A vulnerability in a library that reads the files leads no further.
 */
import os from "node:os";
import { newId } from "#platform/ids.ts";
import { groupWrites, removeGroups } from "./control-groups/limits.ts";
import { rootFolders } from "./root-folders.ts";
import type { SandboxTools } from "./sandbox-tools.ts";
import { systemCallFilter } from "./system-calls.ts";
import { writeBounds } from "./write-bounds.ts";

interface Prison {
  /** Precedes setpriv and runs as root: limits. */
  bounds: string[];
  /** Follows setpriv and runs as a user that owns nothing: the view. It reads the system call filter from file descriptor 3. */
  view: string[];
  filter: Buffer;
  /** Removes the limits once the program has ended. */
  remove(): Promise<void>;
}

/** Processes and threads: Node has about ten. */
const tasks = 64;

const boundScript = `
set -e
${writeBounds}exec "$@"
`;

/** Creates one around `folder`, to which the program may write. `readablePaths` are what else it needs, such as Node. */
export function buildPrison(
  { bwrap, controllers }: Pick<SandboxTools, "bwrap" | "controllers">,
  folder: string,
  readablePaths: readonly string[],
  memoryMb: number,
): Prison {
  const group = `look-${newId()}`;
  const writes = groupWrites(controllers, group, { memoryMb, cpus: 1, tasks }, os.availableParallelism());
  return {
    bounds: ["/bin/sh", "-c", boundScript, "sh", ...writes.flat(), "--"],
    view: [
      bwrap,
      "--seccomp",
      "3",
      "--unshare-user",
      "--unshare-all",
      "--disable-userns",
      "--die-with-parent",
      "--new-session",
      "--ro-bind",
      "/usr",
      "/usr",
      ...rootFolders(),
      "--ro-bind-try",
      "/etc/ld.so.cache",
      "/etc/ld.so.cache",
      "--proc",
      "/proc",
      "--dev",
      "/dev",
      "--remount-ro",
      "/dev",
      ...readablePaths.flatMap((place) => ["--ro-bind", place, place]),
      "--bind",
      folder,
      folder,
      "--chdir",
      "/",
      "--remount-ro",
      "/",
      "--",
    ],
    filter: systemCallFilter(process.arch),
    remove: () => removeGroups(controllers, group),
  };
}
