/**
 * Sets up compressed swap in memory, if this host has no swap at all. Existing swap stays as it is, and the new swap stays until the next
 * boot or until an operator removes it: pages in it may belong to any program on the host. Decision 0103.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { openHostNotes } from "../host/host-notes.ts";
import { findHostTools, findProgram } from "../host/host-tools.ts";
import { listSwaps } from "./swap.ts";

const control = "/sys/class/zram-control/hot_add";
const timeoutMs = 20_000;

/*
 * Arguments: 1 the note with the device's number, 2 bytes, 3 mkswap, 4 swapon. Always a new device: an existing unused one may be
 * about to be used by the program that created it. After an interrupted set-up, the noted device is used, if it is still unused.
 * Priority 100: before any disk that an operator adds.
 */
const script = `
set -e
note=$1 bytes=$2 mkswap=$3 swapon=$4
[ "$(wc -l < /proc/swaps)" -le 1 ] || exit 0
number=$(cat "$note" 2>/dev/null) || :
if [ -z "$number" ] || [ "$(cat "/sys/block/zram$number/disksize" 2>/dev/null)" != 0 ]; then
  number=$(cat ${control})
  echo "$number" > "$note"
fi
device=/sys/block/zram$number
{ echo lz4 > "$device/comp_algorithm"; } 2>/dev/null || :
echo "$bytes" > "$device/disksize"
"$mkswap" "/dev/zram$number" > /dev/null
"$swapon" -p 100 "/dev/zram$number"
`;

/** Undefined if this host has swap now; otherwise why none could be set up, as the end of a sentence. @param mb before compression. */
export function setUpZram(mb: number): string | undefined {
  if (listSwaps().length > 0) return undefined;
  const [mkswap, swapon] = [findProgram("mkswap"), findProgram("swapon")];
  const { flock } = findHostTools();
  if (mkswap === undefined || swapon === undefined || flock === undefined)
    return "mkswap, swapon or flock is missing (Debian: apt-get install util-linux)";
  const modprobe = findProgram("modprobe");
  if (!hasZram() && modprobe) spawnSync(modprobe, ["zram", "num_devices=0"], { stdio: "ignore", timeout: timeoutMs, env: {} });
  if (!hasZram()) return "the kernel has no zram (modprobe zram)";
  try {
    const notes = openHostNotes();
    const args = [
      path.join(notes, "zram.lock"),
      "/bin/sh",
      "-c",
      script,
      "sh",
      path.join(notes, "zram"),
      String(mb * 1024 ** 2),
      mkswap,
      swapon,
    ];
    const { status, stderr } = spawnSync(flock, args, {
      encoding: "utf8",
      timeout: timeoutMs,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    });
    return status === 0 ? undefined : `zram could not be set up: ${stderr.trim().split("\n").at(-1)}`;
  } catch (error) {
    return `zram could not be set up: ${(error as Error).message}`;
  }
}

// Looked at alone: reading it makes a device.
const hasZram = (): boolean => existsSync(control);

/** MB before compression for a host with this memory: as many as it has, of which n8n's pages take four tenths. */
export const usualZramMb = (): number => Math.floor(os.totalmem() / 1024 ** 2);
