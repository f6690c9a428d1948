/** Where the memory of frozen workspaces can go on this host, and whether it may: it contains their secrets. */
import { readFileSync, realpathSync } from "node:fs";
import path from "node:path";

interface Swap {
  /** As the kernel names it: a device or a file. */
  name: string;
  /** Compressed in memory, encrypted by the kernel, or readable by anyone who holds the disk. */
  kind: "memory" | "encrypted" | "disk";
  usedBytes: number;
}

/** The kernel's files; replaced in tests. */
export interface SwapFiles {
  swaps: string;
  blocks: string;
}

const kernelFiles: SwapFiles = { swaps: "/proc/swaps", blocks: "/sys/class/block" };

/** The swap in use now. */
export function listSwaps(files: SwapFiles = kernelFiles): Swap[] {
  const [, ...lines] = readOr(files.swaps).trim().split("\n");
  return lines.map((line) => {
    const [name = "", type, , usedKb] = line.split(/\s+/);
    // A file is no device, whatever its name.
    return { name, kind: type === "file" ? "disk" : kindOf(files, name), usedBytes: Number(usedKb) * 1024 };
  });
}

function kindOf({ blocks }: SwapFiles, name: string): Swap["kind"] {
  const device = path.join(blocks, path.basename(realOr(name)));
  // A zram device may write what is idle to a disk.
  if (/^zram\d+$/.test(path.basename(device)))
    return readOr(path.join(device, "backing_dev"), "none").trim() === "none" ? "memory" : "disk";
  return readOr(path.join(device, "dm/uuid")).startsWith("CRYPT-") ? "encrypted" : "disk";
}

/**
 * Why workspaces' memory may not be paged out on this host, as a sentence for the operator; undefined if it may.
 * @param acceptsDisk the operator accepts that it is written to a disk that is not known to be encrypted.
 */
export function lackOfSwap(swaps: readonly Swap[], acceptsDisk: boolean): string | undefined {
  if (swaps.length === 0)
    return "this host has no swap for the memory of frozen workspaces: set up compressed swap (docs/runbooks/compressed-swap.md)";
  const readable = swaps.find(({ kind }) => kind === "disk");
  if (readable === undefined || acceptsDisk) return undefined;
  return `the swap ${readable.name} is on a disk that is not known to be encrypted, and workspaces' memory holds their secrets: use compressed swap instead, or set WORKSPACE_SWAP_ON_DISK (docs/runbooks/compressed-swap.md)`;
}

/** How much of the host's memory a paged-out byte takes on average; 0 if nothing is compressed in memory. */
export function compressedShare(swaps: readonly Swap[], files: SwapFiles = kernelFiles): number {
  const stored = swaps.reduce((sum, { usedBytes }) => sum + usedBytes, 0);
  const taken = swaps
    .filter(({ name }) => /^zram\d+$/.test(path.basename(name)))
    // The third figure: all memory that the device takes, with its own overhead.
    .map(({ name }) =>
      Number(
        readOr(path.join(files.blocks, path.basename(name), "mm_stat"))
          .trim()
          .split(/\s+/)[2] ?? 0,
      ),
    )
    .reduce((sum, bytes) => sum + bytes, 0);
  return stored > 0 ? Math.min(1, taken / stored) : 0;
}

function readOr(file: string, otherwise = ""): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return otherwise;
  }
}

function realOr(name: string): string {
  try {
    return realpathSync(name);
  } catch {
    return name;
  }
}
