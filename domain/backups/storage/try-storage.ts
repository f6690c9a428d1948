/** Finds out whether a storage can be used, before a backup has to find out. */
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { BackupStorage } from "./backup-storage.ts";

/** Rejects with what is wrong. */
export async function tryStorage(storage: BackupStorage): Promise<void> {
  const id = randomUUID();
  const name = `checks/${id}`;
  await storage.write(name, Readable.from([Buffer.from(id)], { objectMode: false }));
  try {
    if ((await text(await storage.read(name))) !== id) throw new Error("what was stored is not what is read");
  } finally {
    await storage.remove(name);
  }
}
