/** Removes a container service of a test with everything it started, also that of a run that was killed. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { readdir, readFile, rmdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const endTimeoutMs = 10_000;

/** The control group of the service with this folder. */
export const groupOf = (folder: string): string => `/${basename(folder)}`;

/** Ends its processes, which name the folder in their arguments or belong to its control group, and removes its data. */
export async function removeService(folder: string): Promise<void> {
  for (const until = performance.now() + endTimeoutMs; performance.now() < until; await sleep(50)) {
    const processes = await processesOf(folder);
    if (processes.length === 0) break;
    for (const pid of processes) kill(pid);
  }
  await removeGroups(groupOf(folder));
  const script = 'grep -o " $1/[^ ]*" /proc/mounts | sort -r | while read -r each; do umount -l "$each"; done; rm -rf "$1"';
  await run("/bin/sh", ["-c", script, "sh", folder]);
}

async function processesOf(folder: string): Promise<number[]> {
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 1 && pid !== process.pid);
  const read = (pid: number, file: string) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
  const isOurs = async (pid: number): Promise<boolean> =>
    (await read(pid, "cmdline")).includes(folder) || (await read(pid, "cgroup")).includes(`${groupOf(folder)}/`);
  const found = await Promise.all(pids.map(async (pid) => ((await isOurs(pid)) ? [pid] : [])));
  return found.flat();
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The folders that runc left, deepest first. */
async function removeGroups(cgroup: string): Promise<void> {
  const mounts = (await readFile("/proc/mounts", "utf8"))
    .split("\n")
    .flatMap((line) => (/ cgroup2? /.test(line) ? [line.split(" ")[1]!] : []));
  for (const mount of mounts) {
    const root = join(mount, cgroup);
    if (!existsSync(root)) continue;
    const folders = readdirSync(root, { recursive: true, withFileTypes: true }).filter((each) => each.isDirectory());
    for (const each of folders
      .map(({ parentPath, name }) => join(parentPath, name))
      .toSorted()
      .toReversed())
      await rmdir(each).catch(() => undefined);
    await rmdir(root).catch(() => undefined);
  }
}
