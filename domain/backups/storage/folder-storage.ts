/** Backups in a folder of this host, or of a disk mounted there. */
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { checkStoredKind, checkStoredName, isStoredName, StoredNothing, type BackupStorage } from "./backup-storage.ts";
import { tryStorage } from "./try-storage.ts";

/** The folder is created on first use, for this user alone. */
export function createFolderStorage(folder: string): BackupStorage {
  const fileOf = (name: string): string => {
    checkStoredName(name);
    return join(folder, name);
  };
  const storage: BackupStorage = {
    place: folder,
    async write(name, content) {
      const file = fileOf(name);
      // Each writer uses a separate name: two writers, one of which has lost its lease, must not mix their data.
      const beside = `${file}.${newId()}.part`;
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      for (const each of await partsOf(file)) if ((await ageMs(each)) > abandonedAfterMs) await rm(each, { force: true });
      try {
        await pipeline(content, createWriteStream(beside, { mode: 0o600, flush: true }));
        await rename(beside, file);
        await syncFolder(dirname(file));
      } catch (error) {
        content.destroy();
        await rm(beside, { force: true });
        throw error;
      }
    },
    async read(name) {
      const file = await open(fileOf(name), "r").catch((error: NodeJS.ErrnoException) => {
        throw error.code === "ENOENT" ? new StoredNothing(name) : error;
      });
      return file.createReadStream({ highWaterMark: 256 * 1024 });
    },
    async remove(name) {
      const file = fileOf(name);
      await rm(file, { force: true });
      // Left by writers that died.
      for (const each of await partsOf(file)) await rm(each, { force: true });
    },
    async list(kind) {
      checkStoredKind(kind);
      const found = await readdir(join(folder, kind)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return [];
        throw error;
      });
      return found
        .map((name) => `${kind}/${name}`)
        .filter(isStoredName)
        .toSorted();
    },
    check: () => tryStorage(storage),
  };
  return storage;
}

/** A writer without output for so long has died: its source gives up sooner. */
const abandonedAfterMs = 10 * minuteMs;

async function partsOf(file: string): Promise<string[]> {
  const beside = await readdir(dirname(file)).catch(() => []);
  return beside.filter((each) => each.startsWith(`${basename(file)}.`) && each.endsWith(".part")).map((each) => join(dirname(file), each));
}

const ageMs = (file: string): Promise<number> =>
  stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );

/** Without it, a file could lose its name when the host loses power. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
