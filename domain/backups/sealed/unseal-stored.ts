/** From an encrypted object of the storage to its contents. */
import { pipeline, Transform, type Readable } from "node:stream";
import { BackupFailure } from "../backup-failure.ts";
import { StoredNothing, type BackupStorage } from "../storage/backup-storage.ts";
import type { BackupKeys } from "./backup-keys.ts";
import { unsealStream } from "./unseal-stream.ts";

/** Where things are stored, and how they are opened. */
export interface Stored {
  storage: BackupStorage;
  keys: BackupKeys;
}

/** The stream fails, at the latest at its end, where one byte of what is stored is not what was written. `seen` gets each stored byte. */
export async function unsealStored({ storage, keys }: Stored, name: string, seen?: (chunk: Buffer) => void): Promise<Readable> {
  const stored = await storage.read(name).catch((error: unknown) => {
    throw error instanceof StoredNothing ? new BackupFailure("missing", error.message, { cause: error }) : error;
  });
  const look = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen?.(chunk);
      done(null, chunk);
    },
  });
  // What breaks on the way ends the last stream, which is read.
  return pipeline(stored, look, unsealStream(keys, name), () => undefined);
}
