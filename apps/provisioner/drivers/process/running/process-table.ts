/** Which processes exist now: from /proc on Linux, from ps elsewhere. A process that ended but was not yet reaped counts as gone. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";

export interface ProcessEntry {
  pid: number;
  /** When it started, in the system's format. With pid and boot it identifies one process for good. */
  started: string;
  /** The session on Linux; elsewhere the process group, the closest that ps offers. */
  session: number;
  /** 0 if not read. */
  parent: number;
}

const isLinux = process.platform === "linux";
const psTimeoutMs = 5_000;

/** The process with this id, or undefined if none is alive. */
export async function findProcess(pid: number): Promise<ProcessEntry | undefined> {
  if (!isLinux) return (await askPs(["-p", String(pid)]))[0]?.entry;
  try {
    // Synchronous: /proc needs no disk, and Node's thread pool would cost ten times the CPU.
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return undefined;
  }
}

/** Every living process that `isWanted`; on Linux it is also given every user id that a process has. */
export async function listProcesses(
  isWanted: (entry: ProcessEntry, uids: readonly number[]) => boolean,
  withUids: boolean,
): Promise<ProcessEntry[]> {
  if (!isLinux) return (await askPs(["-ax"])).filter((row) => isWanted(row.entry, [row.uid])).map((row) => row.entry);
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const wanted: ProcessEntry[] = [];
  for (const pid of pids) {
    const entry = parseStat(await readOr(`/proc/${pid}/stat`, ""));
    if (entry && isWanted(entry, withUids ? await readUids(pid) : [])) wanted.push(entry);
  }
  return wanted;
}

/** Reads one line of /proc/PID/stat; undefined when the process has ended. */
export function parseStat(line: string): ProcessEntry | undefined {
  // The program's name is in brackets and may contain anything, even brackets: the fields begin after the last one.
  const end = line.lastIndexOf(")");
  const fields = line
    .slice(end + 2)
    .trim()
    .split(" ");
  const [state, parent, session, started] = [fields[0], fields[1], fields[3], fields[19]];
  if (end < 0 || session === undefined || started === undefined || state === "Z" || state === "X") return undefined;
  return { pid: Number.parseInt(line, 10), started, session: Number(session), parent: Number(parent) };
}

/**
 * The engine's own process, in a sandbox whose outermost process is `outer`. One process is between them: the first in the sandbox, which
 * also becomes the parent of orphans; the engine is its oldest child. Returns `outer` if there is none yet.
 */
export async function findSandboxed(outer: number): Promise<number> {
  const entries = await listProcesses(() => true, false);
  const first = entries.find(({ parent }) => parent === outer);
  const children = entries.filter(({ parent }) => first !== undefined && parent === first.pid);
  const oldest = children.toSorted((one, other) => Number(one.started) - Number(other.started) || one.pid - other.pid)[0];
  return oldest?.pid ?? outer;
}

/** The processes that hold `file` open, whatever their names. Linux only: elsewhere none. */
export async function holdersOf(file: string): Promise<number[]> {
  if (!isLinux) return [];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const holders: number[] = [];
  for (const pid of pids) if (await hasOpen(pid, (target) => target === file)) holders.push(Number(pid));
  return holders;
}

/** Whether the process comes from this folder, judged by its working directory, what it writes to, or its environment. */
export async function bearsMarkOf(pid: number, folder: string): Promise<boolean> {
  const isBelow = (target: string): boolean => target === folder || target.startsWith(`${folder}/`);
  if (isBelow(await readlink(`/proc/${pid}/cwd`).catch(() => ""))) return true;
  if ((await readOr(`/proc/${pid}/environ`, "")).includes(folder)) return true;
  return hasOpen(String(pid), isBelow);
}

async function hasOpen(pid: string, matches: (target: string) => boolean): Promise<boolean> {
  const fds = await readdir(`/proc/${pid}/fd`).catch(() => []);
  for (const fd of fds) if (matches(await readlink(`/proc/${pid}/fd/${fd}`).catch(() => ""))) return true;
  return false;
}

async function readUids(pid: string): Promise<number[]> {
  const line = /^Uid:\t(.*)$/m.exec(await readOr(`/proc/${pid}/status`, ""))?.[1] ?? "";
  return line.split("\t").map(Number);
}

async function askPs(which: string[]): Promise<{ entry: ProcessEntry; uid: number }[]> {
  const args = [...which, "-o", "pid=,pgid=,uid=,state=,lstart="];
  // lstart is written in the reader's language and time zone: both are fixed, here and in the launcher.
  const options = { env: { LC_ALL: "C", TZ: "UTC", PATH: "/usr/bin:/bin" }, timeout: psTimeoutMs };
  const { stdout } = await promisify(execFile)("/bin/ps", args, options).catch(() => ({ stdout: "" }));
  return stdout.split("\n").flatMap((line) => {
    const [, pid, group, uid, state, started] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (started === undefined || state?.startsWith("Z")) return [];
    return [{ entry: { pid: Number(pid), started, session: Number(group), parent: 0 }, uid: Number(uid) }];
  });
}

const readOr = (file: string, otherwise: string): Promise<string> => readFile(file, "utf8").catch(() => otherwise);
