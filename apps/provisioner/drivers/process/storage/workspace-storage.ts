/**
 * A workspace's files as one tar stream, in and out. A tenant can put anything there, links to anywhere included, so tar runs as the
 * workspace's own user: what it follows, reads or overwrites was the tenant's to begin with.
 */
import { spawn } from "node:child_process";
import { statfs } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DriverFailure, type StoragePlace } from "../../driver.ts";
import { observeWorkspace } from "../observe-workspace.ts";
import { arriving, discardArrived, placeArrived, settleReplacement } from "./place-arrived.ts";
import { giveAway, prepareFolder } from "./prepare-folder.ts";
import type { ProcessHost } from "../host/process-host.ts";
import type { Owner } from "../host/run-program.ts";
import type { WorkspacePaths } from "./workspace-paths.ts";
import { hasDisk, spareToCome } from "../sandbox/disk.ts";

/** Hundreds of gigabytes on a slow disk take less; a tar that hangs must end. */
const copyTimeoutMs = 4 * 3_600_000;
/** Enough for the names of some hundred files. */
const mostSaid = 16_000;
/** GNU tar's end when a file changed or went while it was read: what was frozen before does not. */
const changedMeanwhileCode = 1;
/** As much may files claim beyond twice the room they use: a database has holes of kilobytes. */
const emptyRoomBytes = 1024 ** 3;
const tooLargeCode = 75;

// A file that its owner made unreadable even for themselves is no reason to have no backup. Nothing at all is an empty archive.
// Holes of sparse files are read as zeros, and each name of a file with several as a file of its own: both would make of a small disk a
// backup that takes hours and fits nowhere, so what files claim is held against what they use.
// In GNU's own format names are the bytes that they are; the other calls every name UTF-8, which not all of them are.
const readScript = `
count=$#
while [ $count -gt 0 ]; do
  if [ -e "$1" ] || [ -L "$1" ]; then set -- "$@" "$1"; fi
  shift
  count=$((count - 1))
done
[ $# -gt 0 ] || exec head -c 1024 /dev/zero
if du --version 2>/dev/null | grep -q GNU; then
  used=$(du -sc --block-size=1 -- "$@" 2>/dev/null | tail -n 1 | cut -f 1)
  claimed=$(du -slc --apparent-size --block-size=1 -- "$@" 2>/dev/null | tail -n 1 | cut -f 1)
  if [ "$claimed" -gt $((used * 2 + ${emptyRoomBytes})) ]; then
    echo "the files claim $claimed bytes and use $used" >&2
    exit ${tooLargeCode}
  fi
fi
if tar --version | grep -q GNU; then exec tar --create --file=- --format=gnu --one-file-system --ignore-failed-read --hard-dereference -- "$@"; fi
exec tar -c -f - --format=pax -- "$@"
`;

const unpackScript = `umask 077; rm -rf -- ${arriving} && mkdir ${arriving} && exec tar -x -f - -C ${arriving} -o`;

/** What tar says of a file that it passes over. */
const unreadLine = /^tar: (.+?): (?:Warning: )?Cannot (?:open|stat|read): /gm;
/** A name in what tar says as text: bytes beyond ASCII are three octal digits there, and what moves the cursor is a letter. */
const unquoted = (name: string): string =>
  Buffer.from(
    name.replace(/\\([0-7]{3}|.)/g, (_all, said: string) =>
      said.length === 3 ? String.fromCharCode(Number.parseInt(said, 8)) : said === "\\" ? said : " ",
    ),
    "latin1",
  ).toString();

/** The stream begins at once; it fails where tar does, and with `storage_too_large` where the files are mostly holes. */
export async function readStorage(
  host: ProcessHost,
  place: StoragePlace,
  wanted: readonly string[],
  unread?: (name: string) => void,
): Promise<Readable> {
  const paths = host.paths(place.workspaceId);
  const owner = host.owner(place.workspaceNumber);
  // After a restart of the host the disk of a stopped workspace is not mounted.
  if (owner && (await hasDisk(paths))) await host.sandbox?.prepareDisks(paths, owner);
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
    for (const [, name] of tar.said().matchAll(unreadLine)) unread(unquoted(name!));
  } finally {
    tar.child.kill("SIGKILL");
  }
}

/** Left free on the host's own disk. */
const hostFloorBytes = 256 * 1024 ** 2;
/** Files need a little more than their bytes. */
const roomFor = (bytes: number): number => bytes * 1.05 + 8 * 1024 ** 2;

/** Whether `bytes` find room beside what the workspace stores, in its disk's spare room as well; without `bytes`, as much as it stores. */
export async function hasRoomToReplace(
  host: ProcessHost,
  { workspaceId, workspaceNumber }: StoragePlace,
  bytes?: number,
): Promise<boolean> {
  const paths = host.paths(workspaceId);
  const owner = host.owner(workspaceNumber);
  const onHost = await freeBytes(host.workspacesDir);
  if (!owner || !host.sandbox || !(await hasDisk(paths))) return onHost.free >= roomFor(bytes ?? 0) + hostFloorBytes;
  await host.sandbox.prepareDisks(paths, owner);
  const own = await freeBytes(paths.data);
  const needed = roomFor(bytes ?? own.used);
  return own.free + (await spareToCome(paths)) >= needed && onHost.free >= needed + hostFloorBytes;
}

/** Bytes of the file system that `folder` is on; what is kept for root counts as free. */
async function freeBytes(folder: string): Promise<{ free: number; used: number }> {
  const { bsize, blocks, bfree } = await statfs(folder);
  return { free: bfree * bsize, used: (blocks - bfree) * bsize };
}

/** Has the disk's spare room lent where `bytes` may not find room without it. */
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

/** Unpacks beside what is there and then renames, so that a broken stream changes nothing. `bytes`: as much as the archive holds, where that is known. */
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
    // Where this fails, or the process dies, the next start of the workspace does it.
    if (isPrepared && owner)
      await host.sandbox
        ?.prepareDisks(folders, owner)
        .catch((err: unknown) => host.log.warn({ err, workspaceId: place.workspaceId }, "a disk's spare room could not be taken back"));
  }
}

async function unpack(data: string, owner: Owner | undefined, archive: Readable): Promise<void> {
  const tar = startShell(unpackScript, [], data, owner);
  tar.child.stdout.resume();
  try {
    await pipeline(archive, tar.child.stdin);
  } catch (error) {
    tar.child.kill("SIGKILL");
    // A pipe that tar closed says nothing; what tar wrote before it ended does.
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
  // Whoever asks for the end hears of a failure to start; nobody asking must not end the program.
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
