/**
 * A separate network and mounts for this run, so that flushing the firewall or filling the disk affects nothing else. Where they are not
 * available (without root, or outside Linux), the faults that need them are left out.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, statfsSync } from "node:fs";
import { findSandboxTools } from "#apps/provisioner/drivers/process/sandbox/sandbox-tools.ts";

const mark = "SLIPWAY_CHAOS_OWN_HOST";

/** Whether this process is inside. */
export const hasOwnHost = (): boolean => process.env[mark] === "yes";

/** Starts this program again inside, and resolves with its exit code; undefined if it is already inside or cannot be. */
export async function enterOwnHost(): Promise<number | undefined> {
  const canEnter = process.platform === "linux" && process.getuid?.() === 0 && findSandboxTools().tools !== undefined;
  if (hasOwnHost() || !canEnter) return undefined;
  const script = 'mount -t tmpfs tmpfs /run && ip link set lo up && exec "$@"';
  const child = spawn(
    "unshare",
    ["--net", "--mount", "/bin/sh", "-c", script, "sh", process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    { stdio: "inherit", env: { ...process.env, [mark]: "yes" } },
  );
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}

const diskGb = 6;

/** Mounts a separate disk at the still empty folder; the returned function unmounts it. */
export function mountOwnDisk(folder: string): () => void {
  const image = `${folder}.disk`;
  execFileSync("/bin/sh", [
    "-ec",
    `truncate -s ${diskGb}G "$1"; mkfs.ext4 -q -F -m 0 "$1"; mount -o loop "$1" "$2"; rmdir "$2/lost+found"; chmod 0755 "$2"`,
    "sh",
    image,
    folder,
  ]);
  return () => {
    execFileSync("umount", ["-l", folder]);
    rmSync(image, { force: true });
  };
}

/** Takes all free space of the folder's disk; the returned function frees it. */
export function fillDisk(folder: string): () => void {
  const file = `${folder}/filling`;
  const { bavail, bsize } = statfsSync(folder);
  execFileSync("/bin/sh", [
    "-c",
    'fallocate -l "$2" "$1" || :; dd if=/dev/zero of="$1" oflag=append conv=notrunc bs=4k 2>/dev/null || :',
    "sh",
    file,
    String(bavail * bsize),
  ]);
  return () => rmSync(file, { force: true });
}

/** Like a damaged sector: the file system notes an error and accepts no more writes. False if none is mounted. */
export function breakDisk(image: string): boolean {
  const device = execFileSync("losetup", ["-n", "-O", "NAME", "-j", image], { encoding: "utf8" })
    .trim()
    .split("\n")[0]
    ?.replace("/dev/", "");
  if (!device) return false;
  execFileSync("/bin/sh", ["-c", 'echo 1 > "/sys/fs/ext4/$1/trigger_fs_error"', "sh", device]);
  return true;
}

/** Everything, as Debian's own rules file does at its beginning. */
export const flushFirewall = (): void => void execFileSync("nft", ["flush", "ruleset"]);

/** Returns one line if the rules for workspaces are not in force. */
export function findFirewallTrouble(): string[] {
  if (!hasOwnHost()) return [];
  const listed = execFileSync("nft", ["list", "ruleset"], { encoding: "utf8" });
  return listed.includes("table inet slipway") && listed.includes("chain forward")
    ? []
    : ["the rules for workspaces' networks are not in force"];
}
