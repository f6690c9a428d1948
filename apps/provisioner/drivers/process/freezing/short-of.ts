/** Whether this host's memory or its swap is nearly used up, by the kernel's own figures. */
import { readHostMemory, type HostFiles } from "#platform/loops/host-limits.ts";

/** A start of n8n takes 300 MB: of 8 GB, a share like this leaves room for one, of 24 GB for four. */
const leastMemory = 0.05;
/** What is frozen with less stays in memory. */
const leastSwap = 0.05;

/** @param files where the kernel says it; replaced in tests. Undefined as well if it can't be read. */
export function shortOf(files?: HostFiles): "memory" | "swap" | undefined {
  const { totalMb, availableMb, swapMb, freeSwapMb } = readHostMemory(files);
  if (availableMb < totalMb * leastMemory) return "memory";
  return freeSwapMb < swapMb * leastSwap ? "swap" : undefined;
}
