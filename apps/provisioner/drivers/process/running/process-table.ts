/** Which processes exist now: from /proc on Linux, from ps elsewhere. A process that ended but was not yet reaped counts as gone. */
import { execFile } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { readFile, readlink } from "node:fs/promises";
import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { readKernelFile } from "#platform/host/kernel-file.ts";

export interface ProcessEntry {
  pid: number;
  /** When it started, in the system's format. Together with pid and boot it uniquely identifies a process. */
  started: string;
  /** The session on Linux; elsewhere the process group, the closest that ps offers. */
  session: number;
  /** 0 if not read. */
  parent: number;
}

const isLinux = process.platform === "linux";
const psTimeoutMs = 5_000;
/** A look at all processes, and at all that one has open, yields to other work after each such slice. */
const sliceMs = 2;
/** Descriptors between two looks at the time; each takes a few microseconds. */
const descriptorsAtOnce = 64;

/** The process with this id, or undefined if none is alive. */
export async function findProcess(pid: number): Promise<ProcessEntry | undefined> {
  if (!isLinux) return (await askPs(["-p", String(pid)]))[0]?.entry;
  return parseStat(readKernelFile(`/proc/${pid}/stat`));
}

/** Every living process for which `isWanted` is true; on Linux it is also given every user id that a process has. */
export async function listProcesses(
  isWanted: (entry: ProcessEntry, uids: readonly number[]) => boolean,
  withUids: boolean,
): Promise<ProcessEntry[]> {
  if (!isLinux) return (await askPs(["-ax"])).filter((row) => isWanted(row.entry, [row.uid])).map((row) => row.entry);
  const wanted: ProcessEntry[] = [];
  for await (const pid of allPids()) {
    const entry = parseStat(readKernelFile(`/proc/${pid}/stat`));
    if (entry && isWanted(entry, withUids ? readUids(pid) : [])) wanted.push(entry);
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
  const holders: number[] = [];
  for await (const pid of allPids()) if (await hasOpen(pid, (target) => target === file)) holders.push(Number(pid));
  return holders;
}

/** Whether the process comes from this folder, judged by its working directory, what it writes to, or its environment. */
export async function bearsMarkOf(pid: number, folder: string): Promise<boolean> {
  const isBelow = (target: string): boolean => target === folder || target.startsWith(`${folder}/`);
  if (isBelow(await readlink(`/proc/${pid}/cwd`).catch(() => ""))) return true;
  // Not synchronous, because it waits for a process that holds the lock of its memory.
  if ((await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")).includes(folder)) return true;
  return hasOpen(String(pid), isBelow);
}

/** Every process number in /proc, in slices. */
async function* allPids(): AsyncGenerator<string> {
  let since = performance.now();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    if (performance.now() - since > sliceMs) {
      await turn();
      since = performance.now();
    }
    yield name;
  }
}

/** A tenant's process may have thousands of descriptors. */
async function hasOpen(pid: string, matches: (target: string) => boolean): Promise<boolean> {
  let since = performance.now();
  for (const [place, descriptor] of descriptorsOf(pid).entries()) {
    if (matches(targetOf(`/proc/${pid}/fd/${descriptor}`))) return true;
    if (place % descriptorsAtOnce > 0 || performance.now() - since <= sliceMs) continue;
    await turn();
    since = performance.now();
  }
  return false;
}

function descriptorsOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}

function readUids(pid: string): number[] {
  const line = /^Uid:\t(.*)$/m.exec(readKernelFile(`/proc/${pid}/status`))?.[1] ?? "";
  return line.split("\t").map(Number);
}

async function askPs(which: string[]): Promise<{ entry: ProcessEntry; uid: number }[]> {
  const args = [...which, "-o", "pid=,pgid=,uid=,state=,lstart="];
  // lstart depends on language and timezone: both are fixed, here and in the launcher.
  const options = { env: { LC_ALL: "C", TZ: "UTC", PATH: "/usr/bin:/bin" }, timeout: psTimeoutMs };
  const { stdout } = await promisify(execFile)("/bin/ps", args, options).catch(() => ({ stdout: "" }));
  return stdout.split("\n").flatMap((line) => {
    const [, pid, group, uid, state, started] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (started === undefined || state?.startsWith("Z")) return [];
    return [{ entry: { pid: Number(pid), started, session: Number(group), parent: 0 }, uid: Number(uid) }];
  });
}
