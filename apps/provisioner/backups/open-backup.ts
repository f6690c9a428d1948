/** Opens a sealed object from the storage. */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { chmod, mkdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { pipeline as pipelineOf } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import { StoredDamage } from "#domain/backups/sealed/unseal-stream.ts";
import { unsealStored, type Stored } from "#domain/backups/sealed/unseal-stored.ts";
import { storedByAnyTry, storedByTry } from "#domain/backups/stored-backup.ts";
import { availableMb } from "#platform/host/available-mb.ts";
import type { BackupTools } from "./backup-tools.ts";
import { plainEntries, usualLimits } from "./archive/filter-archive.ts";
import { inspectFiles, type Counted } from "./archive/inspect-files.ts";

/** Megabytes that opening a backup leaves on the host's disk: half of the usual floor of the process driver, below which nothing starts. */
const usualFloorMb = 512;

/**
 * The archive stored under the name, as a plain tar stream. Fails, at its end at the latest, if any stored byte differs from what was
 * written.
 */
export async function openBackup(tools: Stored, name: string, seen?: (chunk: Buffer) => void): Promise<Readable> {
  return pipeline(await unsealStored(tools, name, seen), createGunzip(), () => undefined);
}

/** Removes what dead workers unpacked in earlier attempts of this backup: it contains a customer's data in plain text. */
export async function removeOpened({ stagingDir }: BackupTools, row: Parameters<typeof storedByAnyTry>[0]): Promise<void> {
  for (const earlier of storedByAnyTry(row, storedByTry(row)))
    await rm(join(stagingDir, basename(earlier)), { recursive: true, force: true });
}

/** Reads the stored backup back to its last byte and inspects it. Rejects with BackupFailure if it differs from what was written. */
export async function verifyBackup(tools: BackupTools, stored: string, sha256: string): Promise<Counted> {
  const { inspected, inspector } = tools.engine.backups!;
  const folder = await makeStaging(tools, stored);
  try {
    const hash = createHash("sha256");
    const archive = await openBackup(tools, stored, (chunk) => hash.update(chunk));
    await unpackFiles(tools, archive, inspected, folder);
    if (hash.digest("hex") !== sha256) throw new StoredDamage("the storage returned other data than was stored");
    return await (tools.inspect ?? inspectFiles)(inspector, folder);
  } catch (error) {
    // The workspace's files may be fine: another copy of them is made.
    if (error instanceof StoredDamage) throw new BackupFailure("failed", error.message, { cause: error });
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An empty folder for what is unpacked of this backup, without what a dead worker left in it. */
export async function makeStaging({ stagingDir }: Pick<BackupTools, "stagingDir">, stored: string): Promise<string> {
  const folder = join(stagingDir, basename(stored));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Lets other users pass through to the one folder being inspected.
  await chmod(stagingDir, 0o711);
  return folder;
}

/** Writes these files of a tar stream into the folder. Throws BackupFailure `uninspected` if the disk has no room for them. */
export async function unpackFiles(tools: BackupTools, archive: Readable, wanted: readonly string[], folder: string): Promise<void> {
  const { stagingDir, limits = usualLimits, stagingFloorMb = usualFloorMb } = tools;
  for await (const { header, name, content } of plainEntries(archive, (entry) => entry, limits)) {
    if (header.type === "directory" || !wanted.includes(name)) continue;
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await withRoom(stagingDir, header.size ?? 0, stagingFloorMb, () =>
      pipelineOf(Readable.from(content, { objectMode: false }), createWriteStream(file, { mode: 0o600, flags: "wx" })),
    );
  }
}

/** Bytes that the copies being unpacked at this moment may still write. */
let promisedBytes = 0;

/**
 * Runs `write`, which writes so many bytes. What is unpacked shares a disk with running workspaces, which would lose what they store. The
 * copy may be fine: a full host must still be able to delete workspaces.
 */
async function withRoom(stagingDir: string, bytes: number, floorMb: number, write: () => Promise<void>): Promise<void> {
  if ((await availableMb(stagingDir)) - (promisedBytes + bytes) / 1024 ** 2 < floorMb)
    throw new BackupFailure("uninspected", `the copy was not opened: ${stagingDir} would have less than ${floorMb} MB left on its disk`);
  promisedBytes += bytes;
  try {
    await write();
  } finally {
    promisedBytes -= bytes;
  }
}
