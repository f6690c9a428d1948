/** Reads and decrypts an object of the storage. */
import { pipeline, Transform, type Readable } from "node:stream";
import { BackupFailure } from "../backup-failure.ts";
import { StoredNothing, type BackupStorage } from "../storage/backup-storage.ts";
import type { BackupKeys } from "./backup-keys.ts";
import { unsealStream } from "./unseal-stream.ts";

/** The storage, and the keys that open its objects. */
export interface Stored {
  storage: BackupStorage;
  keys: BackupKeys;
}

/** The stream fails, at its end at the latest, if any stored byte differs from what was written. `seen` gets each stored byte. */
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
  // An error anywhere ends the last stream, whose reader sees it.
  return pipeline(stored, look, unsealStream(keys, name), () => undefined);
}
