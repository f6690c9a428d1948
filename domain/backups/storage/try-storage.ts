/** Checks that a storage can be used, before a backup depends on it. */
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { BackupStorage } from "./backup-storage.ts";

/** Rejects with the problem. */
export async function tryStorage(storage: BackupStorage): Promise<void> {
  const id = randomUUID();
  const name = `checks/${id}`;
  await storage.write(name, Readable.from([Buffer.from(id)], { objectMode: false }));
  try {
    if ((await text(await storage.read(name))) !== id) throw new Error("the storage returned other data than was stored");
  } finally {
    await storage.remove(name);
  }
}
