/** Turns a spec into a single running process, even if others start the same workspace, and wherever they were killed. */
import type { ChildProcess } from "node:child_process";
import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "#platform/clock.ts";
import { DriverFailure, type RunObservation } from "../../driver.ts";
import { hasCode } from "../../driver-trouble.ts";
import { isLocked, killHolders } from "./end-processes.ts";
import { launchProcess, lockHeldCode, notRecordedCode, type Launch } from "./launch-process.ts";
import { isAlive, readIfPresent, readRecord, writeExit, type ProcessRecord } from "./process-record.ts";
import { readOutput } from "./output-log.ts";
import type { WorkspacePaths } from "../storage/workspace-paths.ts";

/** From fork to record: 5 ms on a quiet machine, and up to a thousand times that on a loaded one. */
const recordTimeoutMs = 10_000;
/** Long enough for a missing or non-executable program to fail. */
const settleMs = 100;
/** Exit codes of env, setpriv and bubblewrap when a program can't be executed or isn't there. */
const notExecutedCodes: readonly (number | null)[] = [126, 127];
const lookEveryMs = 5;

export type Exit = NonNullable<RunObservation["exit"]>;
export interface Started {
  record: ProcessRecord;
  /** Settles after the process has ended and its exit is recorded. */
  ended: Promise<Exit>;
}

/**
 * Starts the process. Resolves once it has recorded itself and did not fail immediately. Resolves with undefined if another process of this
 * workspace holds the lock: then look again. Throws DriverFailure.
 */
export async function startProcess(
  launch: Launch,
  clock: Clock,
  onEnd: (record: ProcessRecord, exit: Exit) => void,
): Promise<Started | undefined> {
  const child = launchProcess(launch);
  const ending = endOf(child, clock);
  // Awaited below; an earlier failure must not count as unhandled.
  ending.catch(() => undefined);
  const recorded = await waitForRecord(launch.paths, child);
  const record = recorded ?? (await ownRecord(launch.paths, child));
  if (record === undefined) return explainNoRecord(launch.paths, child, await ending);
  const ended = ending.then(async (raw) => {
    const exit = await completeExit(launch, raw);
    // The folder may be gone or the disk full: recording the exit is worth one attempt.
    await writeExit(launch.paths, record, exit).catch(() => undefined);
    onEnd(record, exit);
    return exit;
  });
  const early = await Promise.race([ended, sleep(settleMs, undefined)]);
  if (early && notExecutedCodes.includes(early.code))
    throw new DriverFailure("start_failed", `the program could not be run: ${await readOutput(launch.paths, 500)}`);
  return { record, ended };
}

/** After a lost race: the winner has a second to record itself; a process that holds the lock longer is a leftover and is killed. */
export async function settleLock(paths: WorkspacePaths): Promise<void> {
  const deadline = performance.now() + 1_000;
  while (performance.now() < deadline) {
    const record = await readRecord(paths);
    if (record && (await isAlive(record))) return;
    if (!(await isLocked(paths.lock))) return;
    await sleep(50);
  }
  await killHolders(paths.lock);
  await sleep(20);
}

function endOf(child: ChildProcess, clock: Clock): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(startFailure(error)));
    child.once("exit", (code, signal) => resolve({ code, signal, at: clock.now() }));
  });
}

/** For an engine killed by a signal, the process around it reports 128 plus the signal's number, as shells do. */
async function completeExit({ sandbox }: Launch, exit: Exit): Promise<Exit> {
  if (sandbox === undefined) return exit;
  const signal = exit.code !== null && exit.code > 128 ? signalName(exit.code - 128) : undefined;
  const told: Exit = signal === undefined ? exit : { ...exit, code: null, signal };
  // If another process was killed at the limit, such as the code runner, the engine continues without it.
  if (told.signal !== "SIGKILL" || !sandbox.wasOutOfMemory()) return told;
  return { ...told, outOfMemory: true };
}

const signalName = (number: number): string | undefined => Object.entries(os.constants.signals).find(([, each]) => each === number)?.[0];

function startFailure(error: Error): DriverFailure {
  const why = hasCode(error, "EAGAIN", "ENOMEM") ? "the host has no room for another process" : error.message;
  return new DriverFailure("start_failed", `the process could not be started: ${why}`, { cause: error });
}

async function waitForRecord(paths: WorkspacePaths, child: ChildProcess): Promise<ProcessRecord | undefined> {
  const deadline = performance.now() + recordTimeoutMs;
  while (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const record = await ownRecord(paths, child);
    if (record) return record;
    if (performance.now() > deadline) child.kill("SIGKILL");
    await sleep(lookEveryMs);
  }
  return undefined;
}

async function ownRecord(paths: WorkspacePaths, child: ChildProcess): Promise<ProcessRecord | undefined> {
  const record = await readRecord(paths);
  return record?.pid === child.pid ? record : undefined;
}

async function explainNoRecord(paths: WorkspacePaths, child: ChildProcess, exit: Exit): Promise<undefined> {
  // Killed before it had recorded itself: another worker found it in the way and has started its own.
  if (exit.code === lockHeldCode || exit.code === null) return undefined;
  const said = ((await readIfPresent(paths.launchLog)) ?? "").trim();
  const why = said || `launcher ${child.pid} ended with ${exit.code}`;
  // If not even an error fits on the disk, only the code is left.
  if (/no space left|disk quota/i.test(said) || (exit.code === notRecordedCode && said === ""))
    throw new DriverFailure("no_room", "the process could not be recorded: no space left on the disk");
  throw new DriverFailure("start_failed", `the process could not be started: ${why}`);
}
