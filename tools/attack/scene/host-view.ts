/** What the host sees of a workspace from outside: processes, memory and disk, found through its user and not reported by it. */
import { readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { readKernelFile } from "#platform/host/kernel-file.ts";

interface ProcessView {
  pid: number;
  memoryKb: number;
  threads: number;
  noNewPrivs: boolean;
  /** All sets together; 0 means no capability at all. */
  capabilities: bigint;
  command: string;
}

/** Every process of this user, in whatever namespaces. */
export function processesOf(uid: number): ProcessView[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => viewOf(pid, uid));
}

function viewOf(pid: string, uid: number): ProcessView[] {
  const status = readKernelFile(`/proc/${pid}/status`);
  const field = (name: string): string => new RegExp(`^${name}:\\s+(\\S+)`, "m").exec(status)?.[1] ?? "0";
  if (field("Uid") !== String(uid) || /^State:\tZ/m.test(status)) return [];
  const capabilities = ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].reduce((all, name) => all | BigInt(`0x${field(name)}`), 0n);
  return [
    {
      pid: Number(pid),
      // Without shared files, which many processes map.
      memoryKb: Number(field("RssAnon")) + Number(field("RssShmem")),
      threads: Number(field("Threads")),
      noNewPrivs: field("NoNewPrivs") === "1",
      capabilities,
      command: readKernelFile(`/proc/${pid}/cmdline`).replaceAll("\0", " "),
    },
  ];
}

/** n8n's own process. */
export const n8nOf = (uid: number): ProcessView | undefined =>
  processesOf(uid).find(({ command }) => /\/n8n\/bin\/n8n start/.test(command) && !/(^|\/)(bwrap|setpriv|flock|sh) /.test(command));

export const isThere = (pid: number): boolean => !/^State:\t[ZX]/m.test(readKernelFile(`/proc/${pid}/status`) || "State:\tX");

/** Resident memory of one process in megabytes; 0 if it is gone. */
export const residentMb = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readKernelFile(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;

export const environmentOf = (pid: number): Record<string, string> =>
  Object.fromEntries(
    readKernelFile(`/proc/${pid}/environ`)
      .split("\0")
      .filter(Boolean)
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );

/** Free bytes and inodes on the file system of `folder`. */
export function freeAt(folder: string): { bytes: number; inodes: number; totalBytes: number } {
  const { bavail, blocks, bsize, ffree } = statfsSync(folder);
  return { bytes: bavail * bsize, inodes: ffree, totalBytes: blocks * bsize };
}

/** Bytes that the files of a folder take on the disk, including those beyond their ends. */
export const allocatedIn = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.blocks ?? 0) * 512, 0);

/** Memory of the host used by in-memory files (/dev/shm, tmpfs), in megabytes. */
export const sharedMemoryMb = (): number => Number(/^Shmem:\s+(\d+)/m.exec(readKernelFile("/proc/meminfo"))?.[1] ?? 0) / 1024;
