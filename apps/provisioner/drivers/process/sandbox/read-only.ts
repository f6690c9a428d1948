/** Whether a mounted file system has stopped taking writes. */
import { readFile } from "node:fs/promises";
import type { WorkspacePaths } from "../storage/workspace-paths.ts";

/** After an error ext4 shows `ro`, or `emergency_ro` in newer kernels; `shutdown` means that it was cut off. */
const takesNoWrites = new Set(["ro", "emergency_ro", "shutdown"]);

/** False if nothing is mounted at the folder. */
export async function isReadOnly(folder: string): Promise<boolean> {
  // Escaped as the kernel escapes field separators.
  const place = folder.replaceAll("\\", "\\134").replaceAll(" ", "\\040").replaceAll("\t", "\\011").replaceAll("\n", "\\012");
  const lines = (await readFile("/proc/self/mounts", "utf8").catch(() => "")).split("\n");
  return lines.some((line) => {
    const [, mounted, , options = ""] = line.split(" ");
    return mounted === place && options.split(",").some((option) => takesNoWrites.has(option));
  });
}

/** Whether one of a workspace's disks has. */
export const isDiskReadOnly = async ({ data, logs }: WorkspacePaths): Promise<boolean> => (await isReadOnly(data)) || isReadOnly(logs);
