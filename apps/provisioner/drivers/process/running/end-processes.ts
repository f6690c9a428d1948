/** Ends the processes of a workspace, and no others that only look like them. */
import { execFile as run } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { DriverFailure } from "../../driver.ts";
import { hasCode } from "../../driver-trouble.ts";
import { findHostTools } from "../host/host-tools.ts";
import { isAlive, type ProcessRecord } from "./process-record.ts";
import { bearsMarkOf, findProcess, findSandboxed, holdersOf, listProcesses, type ProcessEntry } from "./process-table.ts";
import { runProgram } from "../host/run-program.ts";

/** After SIGKILL a process is gone within milliseconds, unless it hangs in the kernel on a dead disk. */
const killTimeoutMs = 5_000;
const lookEveryMs = 20;
/** It takes milliseconds; a longer answer counts as held. */
const lockTimeoutMs = 5_000;

const execFile = promisify(run);

export interface Belongings {
  /** The folder whose mark identifies a process if nothing better does. */
  folder: string;
  record?: ProcessRecord | undefined;
  /** The workspace's own user, whose processes all belong to the workspace. */
  uid?: number | undefined;
  /** Thaws them, if they can be frozen: otherwise signals do not arrive. */
  thaw?: (() => void) | undefined;
}

/** Asks the recorded process to stop, waits up to `stopTimeoutMs`, then kills whatever is left. Throws DriverFailure `stop_failed`. */
export async function stopProcesses(of: Belongings, stopTimeoutMs: number): Promise<void> {
  if (of.record && (await isAlive(of.record))) {
    of.thaw?.();
    signal(of.record.sandboxed ? await findSandboxed(of.record.pid) : of.record.pid, "SIGTERM");
    await waitForEnd(of.record, stopTimeoutMs);
  }
  await killProcesses(of);
}

/** Kills every process of the workspace immediately. With a separate user, that includes children that left its session. */
export async function killProcesses(of: Belongings): Promise<void> {
  const deadline = performance.now() + killTimeoutMs;
  for (let round = 0; ; round += 1) {
    const left = await processesOf(of);
    if (left.length === 0) return;
    if (performance.now() > deadline)
      throw new DriverFailure("stop_failed", `${left.length} processes of the workspace outlived SIGKILL, the first is ${left[0]?.pid}`);
    for (const entry of left) signal(entry.pid, "SIGKILL");
    // After the signals: what was frozen ends before it does anything else.
    of.thaw?.();
    // Processes that multiply faster than they can be listed only end by one signal to all of a user's processes.
    if (round > 0 && of.uid !== undefined) await killUser(of.uid);
    await sleep(round === 0 ? 5 : lookEveryMs);
  }
}

/**
 * Kills the processes that hold the lock `file`, which is all that is known of a start left unfinished by a dead control plane. They are
 * looked for only if it is held: otherwise one tenant's open files would make everyone's stop slow.
 */
export async function killHolders(file: string): Promise<void> {
  if (!(await isLocked(file))) return;
  const deadline = performance.now() + killTimeoutMs;
  // A killed process may have started another one before its end, which holds the file too.
  for (let holders = await holdersOf(file); holders.length > 0 && performance.now() < deadline; holders = await holdersOf(file)) {
    for (const pid of holders) signal(pid, "SIGKILL");
    await sleep(lookEveryMs);
  }
}

/** Whether a process holds the lock; where the system has no locks, whether the file is there. */
export async function isLocked(file: string): Promise<boolean> {
  const { flock, env } = findHostTools();
  if (!existsSync(file)) return false;
  if (flock === undefined) return true;
  return execFile(flock, ["-n", file, env, "true"], { timeout: lockTimeoutMs, env: {} }).then(
    () => false,
    () => true,
  );
}

async function processesOf({ folder, record, uid }: Belongings): Promise<ProcessEntry[]> {
  const session = record && (await ownSession(record));
  if (uid === undefined && session === undefined) return [];
  // The id of a session whose leader is gone proves little: another session could have it by now.
  const isSure = session?.isLed === true;
  const isOurs = (entry: ProcessEntry, uids: readonly number[]): boolean =>
    (isSure && entry.session === session.id) || (uid !== undefined && uids.includes(uid));
  if (isSure || uid !== undefined) return listProcesses(isOurs, uid !== undefined);
  const entries = await listProcesses((entry) => entry.session === session?.id, false);
  const marked = await Promise.all(entries.map((entry) => bearsMarkOf(entry.pid, folder)));
  return entries.filter((_entry, index) => marked[index]);
}

/** The session that the recorded process led; none if its id now belongs to an unrelated process. */
async function ownSession(record: ProcessRecord): Promise<{ id: number; isLed: boolean } | undefined> {
  if (record.bootId !== findHostTools().bootId) return undefined;
  const leader = await findProcess(record.pid);
  if (leader && leader.started !== record.started) return undefined;
  return { id: record.pid, isLed: leader !== undefined };
}

async function waitForEnd(record: ProcessRecord, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline && (await isAlive(record))) await sleep(lookEveryMs);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (hasCode(error, "ESRCH")) return;
    throw new DriverFailure("stop_failed", `process ${pid} could not be sent ${name}`, { cause: error });
  }
}

async function killUser(uid: number): Promise<void> {
  // The killing program runs as the same user and may be killed by the others: the next round shows the result.
  await runProgram({ program: "/bin/sh", args: ["-c", "kill -9 -1"], owner: { uid, gid: uid }, timeoutMs: 1_000 }).catch(() => undefined);
}
