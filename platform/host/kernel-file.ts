import { readFileSync } from "node:fs";

/**
 * A file of /proc or /sys as text; empty if it is not there. Synchronous: the kernel answers from memory, and Node's thread pool costs ten
 * times the CPU.
 */
export function readKernelFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
