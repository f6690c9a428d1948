/** Whether a mounted file system has stopped taking writes. */
import { readFile } from "node:fs/promises";

/** After an error ext4 says `ro`, or in newer kernels `emergency_ro`; `shutdown` is one that was cut off. */
const takesNoWrites = new Set(["ro", "emergency_ro", "shutdown"]);

/** False where nothing is mounted at the folder. */
export async function isReadOnly(folder: string): Promise<boolean> {
  // As the kernel writes what would part the fields.
  const place = folder.replaceAll("\\", "\\134").replaceAll(" ", "\\040").replaceAll("\t", "\\011").replaceAll("\n", "\\012");
  const lines = (await readFile("/proc/self/mounts", "utf8").catch(() => "")).split("\n");
  return lines.some((line) => {
    const [, mounted, , options = ""] = line.split(" ");
    return mounted === place && options.split(",").some((option) => takesNoWrites.has(option));
  });
}
