/** Whether this host's memory or its swap is nearly used up, by the kernel's own figures. */
import { readHostMemory, type HostFiles } from "#platform/loops/host-limits.ts";

/** A start takes up to 300 MB (n8n): on 8 GB this share is enough for one, on 24 GB for four. */
const leastMemory = 0.05;
/** With less than this, frozen memory stays in memory. */
const leastSwap = 0.05;

/** @param files the kernel's files; replaced in tests. Returns undefined as well if they can't be read. */
export function shortOf(files?: HostFiles): "memory" | "swap" | undefined {
  const { totalMb, availableMb, swapMb, freeSwapMb } = readHostMemory(files);
  if (availableMb < totalMb * leastMemory) return "memory";
  return freeSwapMb < swapMb * leastSwap ? "swap" : undefined;
}
