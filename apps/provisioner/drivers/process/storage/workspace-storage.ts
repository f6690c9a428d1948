/**
 * Reads and replaces a workspace's files as one tar stream. A tenant can put anything there, even links to anywhere, so tar runs as the
 * workspace's own user: whatever it follows, reads or overwrites already belonged to the tenant.
 */
import { spawn } from "node:child_process";
import { statfs } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DriverFailure, type StoragePlace } from "../../driver.ts";
import { asDriverFailure } from "../../driver-trouble.ts";
import { observeWorkspace } from "../observe-workspace.ts";
import { changedMeanwhileCode, namesUnread, readScript, tooLargeCode, unpackScript } from "../../storage-scripts.ts";
import { discardArrived, placeArrived, settleReplacement } from "./place-arrived.ts";
import { giveAway, prepareFolder } from "./prepare-folder.ts";
import type { ProcessHost } from "../host/process-host.ts";
import type { Owner } from "../host/run-program.ts";
import type { WorkspacePaths } from "./workspace-paths.ts";
import { hasDisk, spareToCome } from "../sandbox/disk.ts";

/** Hundreds of gigabytes on a slow disk take less; a tar that hangs must be ended. */
const copyTimeoutMs = 4 * 3_600_000;
/** Enough for the names of a few hundred files. */
const mostSaid = 16_000;

/** The stream begins immediately; it fails if tar does, and with `storage_too_large` if the files are mostly holes. */
export async function readStorage(
  host: ProcessHost,
  place: StoragePlace,
  wanted: readonly string[],
  unread?: (name: string) => void,
): Promise<Readable> {
  const paths = host.paths(place.workspaceId);
  const owner = host.owner(place.workspaceNumber);
  // The disk of a stopped workspace is not mounted after a restart of the host.
  if (owner && (await hasDisk(paths))) await host.sandbox?.prepareReading(paths, owner);
  if (owner) await giveAway(paths.data, owner);
  return Readable.from(readTar(paths.data, wanted, owner, unread), { objectMode: false, highWaterMark: 256 * 1024 });
}

async function* readTar(
  data: string,
  paths: readonly string[],
  owner: Owner | undefined,
  unread: (name: string) => void = () => undefined,
): AsyncGenerator<Buffer> {
  const tar = startShell(readScript, paths, data, owner);
  tar.child.stdin.end();
  try {
    for await (const chunk of tar.child.stdout) yield chunk as Buffer;
    await tar.ended([0, changedMeanwhileCode]);
    namesUnread(tar.said()).forEach((name) => unread(name));
  } finally {
    tar.child.kill("SIGKILL");
  }
}

/** Bytes that stay free on the host's own disk. */
const hostFloorBytes = 256 * 1024 ** 2;
/** Files need slightly more than their bytes. */
const roomFor = (bytes: number): number => bytes * 1.05 + 8 * 1024 ** 2;

/**
 * Whether `bytes` fit beside the workspace's data, including its disk's spare room; without `bytes`, as much as it stores. Not beside a
 * broken disk that the host has no room to repair.
 */
export async function hasRoomToReplace(
  host: ProcessHost,
  { workspaceId, workspaceNumber }: StoragePlace,
  bytes?: number,
): Promise<boolean> {
  const paths = host.paths(workspaceId);
  const owner = host.owner(workspaceNumber);
  const onHost = await freeBytes(host.workspacesDir);
  if (!owner || !host.sandbox || !(await hasDisk(paths))) return onHost.free >= roomFor(bytes ?? 0) + hostFloorBytes;
  try {
    // One that runs keeps its disk, broken or not; its next start repairs it.
    const isRunning = (await observeWorkspace(host, workspaceId)).state === "running";
    await host.sandbox[isRunning ? "prepareReading" : "prepareDisks"](paths, owner);
  } catch (error) {
    if (asDriverFailure(error, "storage_failed", "").code === "no_room") return false;
    throw error;
  }
  const own = await freeBytes(paths.data);
  const needed = roomFor(bytes ?? own.used);
  return own.free + (await spareToCome(paths)) >= needed && onHost.free >= needed + hostFloorBytes;
}

/** What a workspace with its own disk stores, in MB, without reading its files; undefined for others. */
export async function storedMb(paths: WorkspacePaths): Promise<number | undefined> {
  if (!(await hasDisk(paths))) return undefined;
  return Math.round((await freeBytes(paths.data)).used / 1024 ** 2);
}

/** Free bytes of the file system with `folder`; space reserved for root counts as free. */
async function freeBytes(folder: string): Promise<{ free: number; used: number }> {
  const { bsize, blocks, bfree } = await statfs(folder);
  return { free: bfree * bsize, used: (blocks - bfree) * bsize };
}

/** Lends the disk's spare room if `bytes` may not fit without it. */
async function lendSpare(
  { sandbox }: ProcessHost,
  paths: WorkspacePaths,
  owner: Owner | undefined,
  bytes: number | undefined,
): Promise<void> {
  if (!sandbox || !owner) return;
  if (bytes === undefined || (await freeBytes(paths.data)).free < roomFor(bytes))
    await sandbox.prepareDisks(paths, owner, { lendsSpare: true });
}

/**
 * Unpacks beside the existing files and then renames, so that a broken stream changes nothing. `bytes` is the size of the archive's
 * contents, if known.
 */
export async function replaceStorage(
  host: ProcessHost,
  place: StoragePlace,
  paths: readonly string[],
  archive: Readable,
  bytes?: number,
): Promise<void> {
  const folders = host.paths(place.workspaceId);
  const owner = host.owner(place.workspaceNumber);
  let isPrepared = false;
  try {
    if ((await observeWorkspace(host, place.workspaceId)).state === "running")
      throw new DriverFailure("storage_failed", "the workspace runs");
    await prepareFolder(folders, owner, host.sandbox);
    isPrepared = true;
    await lendSpare(host, folders, owner, bytes);
    try {
      await settleReplacement(folders.data, owner, paths);
      await unpack(folders.data, owner, archive);
      await placeArrived(folders.data, owner, paths);
    } catch (error) {
      await discardArrived(folders.data, owner).catch(() => undefined);
      throw error;
    }
  } finally {
    archive.destroy();
    // If this fails, or the process dies, the workspace's next start does it.
    if (isPrepared && owner)
      await host.sandbox
        ?.prepareDisks(folders, owner)
        .catch((err: unknown) => host.log.warn({ err, workspaceId: place.workspaceId }, "a disk's spare room could not be reserved again"));
  }
}

async function unpack(data: string, owner: Owner | undefined, archive: Readable): Promise<void> {
  const tar = startShell(unpackScript, [], data, owner);
  tar.child.stdout.resume();
  try {
    await pipeline(archive, tar.child.stdin);
  } catch (error) {
    tar.child.kill("SIGKILL");
    // A closed pipe gives no reason; what tar wrote before it ended does.
    if ((error as NodeJS.ErrnoException).code === "EPIPE") await tar.ended([0]);
    throw error;
  }
  await tar.ended([0]);
}

function startShell(script: string, args: readonly string[], cwd: string, owner: Owner | undefined) {
  const child = spawn("/bin/sh", ["-c", script, "sh", ...args], {
    ...owner,
    cwd,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    stdio: ["pipe", "pipe", "pipe"],
    timeout: copyTimeoutMs,
    killSignal: "SIGKILL",
  });
  let trouble = "";
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    trouble = (trouble + text).slice(-2_000);
    said = (said + text).slice(0, mostSaid);
  });
  child.stdin.on("error", () => undefined);
  const end = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code));
  });
  // Callers of `ended` see a failure to start; without a caller, it must not end the program.
  end.catch(() => undefined);
  return {
    child,
    said: () => said,
    async ended(good: readonly number[]): Promise<void> {
      const code = await end;
      if (code === tooLargeCode) throw new DriverFailure("storage_too_large", trouble.trim());
      if (code === null || !good.includes(code)) throw new Error(trouble.trim() || `tar ended with ${code ?? "a signal"}`);
    },
  };
}
