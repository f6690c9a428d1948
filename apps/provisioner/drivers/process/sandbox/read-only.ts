/** What is mounted, and whether it has stopped taking writes. */
import { readFile } from "node:fs/promises";
import type { WorkspacePaths } from "../storage/workspace-paths.ts";

/** After an error ext4 shows `ro`, or `emergency_ro` in newer kernels; `shutdown` means that it was cut off. */
const brokenOptions = new Set(["ro", "emergency_ro", "shutdown"]);

/** False if nothing is mounted at the folder. */
export const isReadOnly = async (folder: string): Promise<boolean> => takesNoWrites(mountsAt(folder, await readMounts()));

/** Whether anything is. */
export const isMounted = async (folder: string): Promise<boolean> => mountsAt(folder, await readMounts()).length > 0;

/** Those of a workspace's disks that take no writes, by their folders. */
export async function readOnlyDisks({ data, logs }: WorkspacePaths): Promise<string[]> {
  const mounts = await readMounts();
  return [data, logs].filter((folder) => takesNoWrites(mountsAt(folder, mounts)));
}

/** What is mounted here, a line each. A thousand workspaces make it long. */
const readMounts = async (): Promise<string[]> => (await readFile("/proc/self/mounts", "utf8").catch(() => "")).split("\n");

/** The options of everything mounted at the folder. */
function mountsAt(folder: string, mounts: readonly string[]): string[][] {
  // Escaped as the kernel escapes field separators.
  const place = folder.replaceAll("\\", "\\134").replaceAll(" ", "\\040").replaceAll("\t", "\\011").replaceAll("\n", "\\012");
  return mounts.flatMap((line) => {
    const [, mounted, , options = ""] = line.split(" ");
    return mounted === place ? [options.split(",")] : [];
  });
}

const takesNoWrites = (mounts: readonly string[][]): boolean =>
  mounts.some((options) => options.some((option) => brokenOptions.has(option)));
