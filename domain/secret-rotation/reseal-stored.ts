/** Re-encrypts stored files with the current key, so that the previous one can be destroyed: first the file, then its row. */
import { createHash } from "node:crypto";
import { pipeline, Transform, type Readable } from "node:stream";
import { and, asc, eq, gt, isNotNull, or } from "drizzle-orm";
import { backups, exports } from "#database/tables.ts";
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import { keyIdBytes, type BackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import { sealStream } from "#domain/backups/sealed/seal-stream.ts";
import { magic } from "#domain/backups/sealed/sealed-format.ts";
import { unsealStored, type Stored } from "#domain/backups/sealed/unseal-stored.ts";
import { storedBackup } from "#domain/backups/stored-backup.ts";
import { StoredNothing } from "#domain/backups/storage/backup-storage.ts";
import type { Database } from "#platform/database.ts";

const filesAtOnce = 50;

interface Resealed {
  done: number;
  /** Names of files that could not be decrypted, each with the reason. */
  unreadable: string[];
}

/** A failed backup has a file if it was damaged and kept for operators. It must stay decryptable, for what can be saved of it. */
const isKept = or(eq(backups.state, "successful"), and(eq(backups.state, "failed"), isNotNull(backups.sha256)));

/** Re-encrypts all kept backups and exports. Files encrypted with the current key are left unchanged. */
export async function resealStored(db: Database, stored: Stored): Promise<Resealed> {
  const total: Resealed = { done: 0, unreadable: [] };
  const take = async (name: string, isBehind: boolean, isStillThere: () => Promise<boolean>, write: (facts: Facts) => Promise<boolean>) => {
    try {
      const facts = await reseal(stored, name, isBehind);
      // If its row has been deleted, the file must go too.
      if (!facts) return;
      if (!(await write(facts))) await stored.storage.remove(name);
      total.done += 1;
    } catch (error) {
      if (error instanceof StoredNothing || (error instanceof BackupFailure && error.code === "missing")) {
        // Without its row it was deleted meanwhile; with it, this may be another storage than the service's.
        if (await isStillThere()) total.unreadable.push(`${name}: the storage has nothing under this name`);
        return;
      }
      if (!(error instanceof BackupFailure)) throw error;
      total.unreadable.push(`${name}: ${error.message}`);
    }
  };
  for (let from = "00000000-0000-0000-0000-000000000000"; ;) {
    const rows = await db
      .select({ id: backups.id, keyId: backups.keyId, storedAs: backups.storedAs })
      .from(backups)
      .where(and(gt(backups.id, from), isKept))
      .orderBy(asc(backups.id))
      .limit(filesAtOnce);
    for (const { id, keyId, storedAs } of rows)
      await take(
        storedBackup({ id, storedAs }),
        keyId !== stored.keys.current.id,
        async () =>
          (
            await db
              .select({ id: backups.id })
              .from(backups)
              .where(and(eq(backups.id, id), isKept))
          ).length > 0,
        async (facts) => (await db.update(backups).set(facts).where(eq(backups.id, id)).returning({ id: backups.id })).length > 0,
      );
    if (rows.length < filesAtOnce) break;
    from = rows.at(-1)!.id;
  }
  const isExportThere = (id: string) => async () =>
    (
      await db
        .select({ id: exports.id })
        .from(exports)
        .where(and(eq(exports.id, id), eq(exports.state, "ready")))
    ).length > 0;
  for (let from = "00000000-0000-0000-0000-000000000000"; ;) {
    const rows = await db
      .select({ id: exports.id })
      .from(exports)
      .where(and(gt(exports.id, from), eq(exports.state, "ready")))
      .orderBy(asc(exports.id))
      .limit(filesAtOnce);
    for (const { id } of rows) await take(`exports/${id}`, false, isExportThere(id), isExportThere(id));
    if (rows.length < filesAtOnce) break;
    from = rows.at(-1)!.id;
  }
  return total;
}

interface Facts {
  keyId: string;
  sha256: string;
}

/** Null if there was nothing to do. `isBehind`: the row names another key, because an earlier run ended between file and row. */
async function reseal(stored: Stored, name: string, isBehind: boolean): Promise<Facts | null> {
  const { storage, keys } = stored;
  if ((await keyIdOf(stored, name)) === keys.current.id && !isBehind) return null;
  const hash = createHash("sha256");
  const noting = new Transform({ transform: (chunk: Buffer, _encoding, done) => (hash.update(chunk), done(null, chunk)) });
  // If the file cannot be decrypted to its last byte, the stream fails and the storage keeps the old file.
  const plain = await unsealStored(stored, name);
  await storage.write(
    name,
    pipeline(plain, sealStream(keys.current, name), noting, () => undefined),
  );
  const facts = { keyId: keys.current.id, sha256: hash.digest("hex") };
  await verify(stored, name, facts);
  return facts;
}

/** Reads the file back with only the current key. */
async function verify({ storage, keys }: Stored, name: string, { sha256 }: Facts): Promise<void> {
  const alone: BackupKeys = { current: keys.current, find: (id) => (id === keys.current.id ? keys.current : undefined) };
  const hash = createHash("sha256");
  for await (const _ of await unsealStored({ storage, keys: alone }, name, (chunk) => hash.update(chunk)));
  if (hash.digest("hex") !== sha256) throw new BackupFailure("damaged", "the file read back differs from the file written");
}

/** The id in the file's header. */
async function keyIdOf({ storage }: Stored, name: string): Promise<string> {
  const content: Readable = await storage.read(name);
  let head = Buffer.alloc(0);
  for await (const chunk of content) {
    head = Buffer.concat([head, chunk as Buffer]);
    if (head.length >= magic.length + keyIdBytes) break;
  }
  return head.subarray(magic.length, magic.length + keyIdBytes).toString("hex");
}
