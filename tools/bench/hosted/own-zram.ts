/** Compressed swap for a measurement that needs more than the host has, removed afterwards. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const control = "/sys/class/zram-control";

/** Free swap of the host in MB. */
export function freeSwapMb(): number {
  const [, ...lines] = readFileSync("/proc/swaps", "utf8").trim().split("\n");
  return lines.map((line) => line.split(/\s+/)).reduce((sum, [, , sizeKb, usedKb]) => sum + (Number(sizeKb) - Number(usedKb)) / 1024, 0);
}

/** Adds a device of this size before compression, used before all other swap; returns how to remove it. Throws without zram or root. */
export function addZram(mb: number): () => void {
  if (!existsSync(`${control}/hot_add`)) throw new Error("the kernel has no zram (modprobe zram)");
  const number = readFileSync(`${control}/hot_add`, "utf8").trim();
  const [device, settings] = [`/dev/zram${number}`, `/sys/block/zram${number}`];
  const remove = (): void => {
    if (readFileSync("/proc/swaps", "utf8").includes(`${device} `)) execFileSync("swapoff", [device]);
    writeFileSync(`${settings}/reset`, "1");
    writeFileSync(`${control}/hot_remove`, number);
  };
  try {
    writeFileSync(`${settings}/comp_algorithm`, "lz4");
    writeFileSync(`${settings}/disksize`, String(Math.ceil(mb) * 1024 ** 2));
    execFileSync("mkswap", [device], { stdio: "ignore" });
    execFileSync("swapon", ["-p", "200", device], { stdio: "ignore" });
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}
