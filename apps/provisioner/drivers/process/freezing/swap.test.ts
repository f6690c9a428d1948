import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { compressedShare, lackOfSwap, listSwaps, type SwapFiles } from "./swap.ts";

/** A kernel with this swap, named as in /proc/swaps, and these files of its block devices. */
function kernelWith(swaps: Record<string, number>, blocks: Record<string, string> = {}): SwapFiles {
  const folder = mkdtempSync(path.join(tmpdir(), "slipway-swap-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [file, content] of Object.entries(blocks)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  const typeOf = (name: string): string => (name.startsWith("/dev/") ? "partition" : "file\t");
  const lines = Object.entries(swaps).map(([name, usedKb]) => `${name}  ${typeOf(name)}\t25165820\t\t${usedKb}\t\t100`);
  writeFileSync(path.join(folder, "swaps"), ["Filename\tType\tSize\tUsed\tPriority", ...lines, ""].join("\n"));
  return { swaps: path.join(folder, "swaps"), blocks: folder };
}

const lackOf = (files: SwapFiles, acceptsDisk = false): string | undefined => lackOfSwap(listSwaps(files), acceptsDisk);

test("memory may be paged out to compressed memory and to encrypted disks", () => {
  expect(lackOf(kernelWith({ "/dev/zram0": 0 }))).toBeUndefined();
  expect(lackOf(kernelWith({ "/dev/zram0": 0 }, { "zram0/backing_dev": "none\n" }))).toBeUndefined();
  expect(lackOf(kernelWith({ "/dev/dm-3": 0 }, { "dm-3/dm/uuid": "CRYPT-PLAIN-swap\n" }))).toBeUndefined();
});

test("without swap, the operator is told how to set it up", () => {
  expect(lackOf(kernelWith({}))).toMatch(/no swap .*docs\/runbooks\/compressed-swap\.md/);
  expect(lackOf({ swaps: "/missing", blocks: "/missing" }, true)).toMatch(/no swap/);
});

test("a disk that is not known to be encrypted is refused, even behind compressed memory, unless the operator accepts it", () => {
  for (const files of [
    kernelWith({ "/swapfile": 0 }),
    kernelWith({ "/var/zram0": 0 }),
    kernelWith({ "/dev/zram0": 0, "/dev/vda2": 0 }),
    kernelWith({ "/dev/dm-1": 0 }, { "dm-1/dm/uuid": "LVM-abc\n" }),
    kernelWith({ "/dev/zram0": 0 }, { "zram0/backing_dev": "/dev/loop3\n" }),
  ]) {
    expect(lackOf(files)).toMatch(/not known to be encrypted.*WORKSPACE_SWAP_ON_DISK/);
    expect(lackOf(files, true)).toBeUndefined();
  }
});

test("the compressed size of paged-out memory is counted, and nothing for memory on a disk", () => {
  const stat = { "zram0/mm_stat": "92282880 35042692 41943040        0 37175296      262        0        4        4\n" };
  const share = (files: SwapFiles): number => compressedShare(listSwaps(files), files);
  expect(share(kernelWith({ "/dev/zram0": 102_400 }, stat))).toBe(0.4);
  expect(share(kernelWith({ "/dev/zram0": 102_400, "/dev/dm-3": 102_400 }, stat))).toBe(0.2);
  expect(share(kernelWith({ "/dev/dm-3": 102_400 }))).toBe(0);
  expect(share(kernelWith({ "/dev/zram0": 0 }, stat))).toBe(0);
});
