/** What is mounted, and whether it has stopped taking writes. */
import { readFile } from "node:fs/promises";
import type { WorkspacePaths } from "../storage/workspace-paths.ts";

/** After an error ext4 shows `ro`, or `emergency_ro` in newer kernels; `shutdown` means that it was cut off. */
const takesNoWrites = new Set(["ro", "emergency_ro", "shutdown"]);

/** False if nothing is mounted at the folder. */
export const isReadOnly = async (folder: string): Promise<boolean> =>
  (await mountsAt(folder)).some((options) => options.some((option) => takesNoWrites.has(option)));

/** Whether anything is. */
export const isMounted = async (folder: string): Promise<boolean> => (await mountsAt(folder)).length > 0;

/** The options of everything mounted at the folder. */
async function mountsAt(folder: string): Promise<string[][]> {
  // Escaped as the kernel escapes field separators.
  const place = folder.replaceAll("\\", "\\134").replaceAll(" ", "\\040").replaceAll("\t", "\\011").replaceAll("\n", "\\012");
  const lines = (await readFile("/proc/self/mounts", "utf8").catch(() => "")).split("\n");
  return lines.flatMap((line) => {
    const [, mounted, , options = ""] = line.split(" ");
    return mounted === place ? [options.split(",")] : [];
  });
}

/** Those of a workspace's disks that have, by their folders. */
export async function readOnlyDisks({ data, logs }: WorkspacePaths): Promise<string[]> {
  const found: string[] = [];
  for (const disk of [data, logs]) if (await isReadOnly(disk)) found.push(disk);
  return found;
}
