/**
 * Reads and replaces a workspace's files as one tar stream, using tar with the workspace's own permissions: whatever a link leads to was
 * its own.
 */
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DriverFailure, type StoragePlace } from "../driver.ts";
import {
  changedMeanwhileCode,
  discardScript,
  namesUnread,
  placeScript,
  readScript,
  settleScript,
  unpackScript,
} from "../storage-scripts.ts";
import { isThere, namesOf, type DockerHost } from "./docker-host.ts";
import { startHelper } from "./helper.ts";
import { observeContainer } from "./observe-container.ts";
import { makeVolume } from "./run-container.ts";

/**
 * The stream begins immediately; it fails if tar does, and with `storage_too_large` if the files are mostly holes. A missing volume is
 * never created: it would be read as an empty workspace, and stay empty.
 */
export async function readStorage(
  host: DockerHost,
  { workspaceId }: StoragePlace,
  paths: readonly string[],
  unread: (name: string) => void = () => undefined,
): Promise<Readable> {
  if (!(await isThere(host, "volumes", namesOf(workspaceId).volume)))
    throw new DriverFailure("storage_failed", "the workspace's volume is missing");
  return Readable.from(readTar(host, workspaceId, paths, unread), { objectMode: false, highWaterMark: 256 * 1024 });
}

/**
 * A container's last output is lost unless it is read within seconds of its end. So the container reports that the script is done, and
 * stays until it is told that everything was read, or until its maker is gone.
 */
const stayingScript = 'mark=$1; script=$2; shift 2; /bin/sh -c "$script" sh "$@"; code=$?; printf %s "$mark"; read -r _; exit $code';

async function* readTar(host: DockerHost, workspaceId: string, paths: readonly string[], unread: (name: string) => void) {
  const mark = randomBytes(16).toString("hex");
  const tar = await startHelper(host, workspaceId, stayingScript, [mark, readScript, ...paths]);
  try {
    const isWhole = yield* upTo(mark, tar.output(), () => tar.line.end());
    await tar.ended([0, changedMeanwhileCode]);
    if (!isWhole) throw new Error("the service ended the reading before all was read");
    namesUnread(tar.said()).forEach((name) => unread(name));
  } finally {
    await tar.remove();
  }
}

/** The output before the mark; calls `read` once all of it was read. Returns whether the output ended with the mark. */
async function* upTo(mark: string, output: AsyncIterable<Buffer>, read: () => void): AsyncGenerator<Buffer, boolean> {
  const end = Buffer.from(mark);
  let held: Buffer = Buffer.alloc(0);
  let isRead = false;
  for await (const piece of output) {
    const known = Buffer.concat([held, piece]);
    held = known.subarray(-end.length);
    if (known.length > held.length) yield known.subarray(0, -held.length);
    isRead = held.equals(end);
    if (isRead) read();
  }
  return isRead;
}

/** Unpacks beside the existing files and then renames, so that a broken stream changes nothing. */
export async function replaceStorage(
  host: DockerHost,
  { workspaceId }: StoragePlace,
  paths: readonly string[],
  archive: Readable,
): Promise<void> {
  try {
    if ((await observeContainer(host, workspaceId)).state === "running") throw new DriverFailure("storage_failed", "the workspace runs");
    await makeVolume(host, workspaceId);
    await run(host, workspaceId, settleScript, paths);
    try {
      await run(host, workspaceId, unpackScript, [], archive);
      await run(host, workspaceId, placeScript, paths);
    } catch (error) {
      await run(host, workspaceId, discardScript, []).catch(() => undefined);
      throw error;
    }
  } finally {
    archive.destroy();
  }
}

async function run(host: DockerHost, workspaceId: string, script: string, args: readonly string[], input?: Readable): Promise<void> {
  const helper = await startHelper(host, workspaceId, script, args);
  try {
    const sent = input ? pipeline(input, helper.line) : Promise.resolve(void helper.line.end());
    sent.catch(() => undefined);
    const read = async () => {
      for await (const _piece of helper.output());
    };
    await Promise.all([input ? sent.catch((error: unknown) => refuseBroken(error, input)) : sent, read()]);
    await helper.ended([0]);
  } finally {
    await helper.remove();
  }
}

/** A closed pipe gives no reason; what tar wrote before it ended does. */
function refuseBroken(error: unknown, input: Readable): void {
  if (input.errored || !input.readableEnded) throw error;
}
