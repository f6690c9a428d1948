/** The server's main process, found through its pid file, whichever process started it. */
import { spawnSync } from "node:child_process";
import { chownSync, existsSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { minuteMs } from "../../clock.ts";

interface Postmaster {
  pid: number;
  /** The folder of its socket, if it got that far. */
  socketFolder: string | undefined;
}

const pidFile = (cluster: string) => join(cluster, "postmaster.pid");

function readPidFile(cluster: string): string | undefined {
  try {
    return readFileSync(pidFile(cluster), "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** The socket folder named in the pid file, alive or not: line 5 of the format that PostgreSQL documents. */
export function socketFolderOfPidFile(cluster: string): string | undefined {
  return readPidFile(cluster)?.split("\n")[4] || undefined;
}

/** The living postmaster of a cluster folder; undefined if there is none, whatever the pid file says. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const lines = readPidFile(cluster)?.split("\n");
  const pid = Number(lines?.[0]);
  if (!lines || !Number.isInteger(pid) || pid <= 1 || !isPostmasterOf(pid, cluster)) return undefined;
  return { pid, socketFolder: lines[4] || undefined };
}

/** Process numbers are reused: a living process with the right number must also be PostgreSQL, working in this folder. */
function isPostmasterOf(pid: number, cluster: string): boolean {
  if (process.platform === "linux") {
    try {
      const program = basename(readlinkSync(`/proc/${pid}/exe`)).replace(" (deleted)", "");
      return program === "postgres" && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    } catch {
      return false;
    }
  }
  const { stdout } = spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.includes("postgres") && stdout.includes(cluster);
}

const provedForMs = minuteMs;

/**
 * Whether the cluster has a living postmaster, for a caller that asks every second: while its process lives, what it is is proved once a
 * minute, because that starts a process on systems without /proc.
 */
export function watchPostmaster(cluster: string): () => boolean {
  let proved = { pid: 0, atMs: -Infinity };
  return () => {
    const pid = Number.parseInt(readPidFile(cluster) ?? "", 10);
    if (pid === proved.pid && performance.now() - proved.atMs < provedForMs && isAlive(pid)) return true;
    const found = findPostmaster(cluster);
    proved = { pid: found?.pid ?? 0, atMs: performance.now() };
    return found !== undefined;
  };
}

/** No process has this number: kernels count to 4 million at most. */
const impossiblePid = "2147483646";

/**
 * Lets a server start over the pid file of a dead one whose number another process has since got: PostgreSQL
 * would take that process for the server. Only the number is changed, since PostgreSQL uses the rest of the file to notice
 * surviving sessions of the old server; the file is moved aside first, so that the file of a server that starts now is kept.
 */
export function disownPidFile(cluster: string): void {
  const stale = readPidFile(cluster);
  const pid = Number.parseInt(stale ?? "", 10);
  if (stale === undefined || !isAlive(pid) || isPostmasterOf(pid, cluster)) return;
  const aside = join(cluster, `postmaster.pid.${process.pid}`);
  try {
    const { uid, gid } = statSync(pidFile(cluster));
    renameSync(pidFile(cluster), aside);
    const found = readFileSync(aside, "utf8");
    writeFileSync(pidFile(cluster), found === stale ? found.replace(/^\d+/, impossiblePid) : found, { flag: "wx", mode: 0o600 });
    chownSync(pidFile(cluster), uid, gid);
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Removes the lock of a socket whose server is gone while its number is taken: by another process, or by its own zombie
 * where none is reaped (a container without an init). It guards only our private socket, not the data.
 */
export function removeStaleSocketLock(cluster: string, socketLock: string): void {
  const pid = existsSync(socketLock) ? Number.parseInt(readFileSync(socketLock, "utf8"), 10) : 0;
  if (isAlive(pid) && !isPostmasterOf(pid, cluster)) rmSync(socketLock, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    return pid > 1 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** A fast shutdown normally takes well below a second; a large checkpoint may take long. */
const fastShutdownMs = 30_000;
const immediateShutdownMs = 10_000;

/** Stops the server: sessions end and data is written; after 30 s it stops immediately and recovers at the next start. */
export async function stopPostmaster(cluster: string): Promise<"stopped" | "immediate" | "stuck"> {
  if (await signalAndWait(cluster, "SIGINT", fastShutdownMs)) return "stopped";
  return (await signalAndWait(cluster, "SIGQUIT", immediateShutdownMs)) ? "immediate" : "stuck";
}

async function signalAndWait(cluster: string, signal: "SIGINT" | "SIGQUIT", timeoutMs: number): Promise<boolean> {
  const target = findPostmaster(cluster);
  if (!target) return true;
  process.kill(target.pid, signal);
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (!isPostmasterOf(target.pid, cluster)) return true;
    await sleep(20);
  }
  return false;
}
