/** Whether this host's memory or its swap is nearly used up, by the kernel's own figures. */
import { readFileSync } from "node:fs";

/** A start of n8n takes 300 MB: of 8 GB, a share like this leaves room for one, of 24 GB for four. */
const leastMemory = 0.05;
/** What is frozen with less stays in memory. */
const leastSwap = 0.05;

/** @param file where the kernel says it; replaced in tests. Undefined as well if it can't be read. */
export function shortOf(file = "/proc/meminfo"): "memory" | "swap" | undefined {
  const text = readOr(file);
  const kb = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0);
  if (kb("MemAvailable") < kb("MemTotal") * leastMemory) return "memory";
  return kb("SwapFree") < kb("SwapTotal") * leastSwap ? "swap" : undefined;
}

function readOr(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
