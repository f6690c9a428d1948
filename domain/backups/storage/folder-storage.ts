/** Backups in a folder of this host, or of a disk that is mounted there. */
import { createWriteStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { checkStoredName, StoredNothing, type BackupStorage } from "./backup-storage.ts";
import { tryStorage } from "./try-storage.ts";

/** The folder is made, for this user alone, when it is first needed. */
export function createFolderStorage(folder: string): BackupStorage {
  const fileOf = (name: string): string => {
    checkStoredName(name);
    return join(folder, name);
  };
  const storage: BackupStorage = {
    place: folder,
    async write(name, content) {
      const file = fileOf(name);
      // One name for each object: what a writer that died left is written over by the next, or removed with it.
      const beside = `${file}.part`;
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
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
      await rm(`${file}.part`, { force: true });
    },
    check: () => tryStorage(storage),
  };
  return storage;
}

/** Without it a host that loses power may have the file and not its name. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
