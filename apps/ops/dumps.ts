/** The dumps of the service's own database: compressed and encrypted, in the storage of backups. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline, Transform } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import type { Pool } from "pg";
import { loadDump, type Loaded } from "#database/dump/load-dump.ts";
import { writeDump } from "#database/dump/write-dump.ts";
import { createBackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import { sealStream } from "#domain/backups/sealed/seal-stream.ts";
import { unsealStored } from "#domain/backups/sealed/unseal-stored.ts";
import type { BackupStorage } from "#domain/backups/storage/backup-storage.ts";
import { createBackupStorage } from "#domain/backups/storage/create-backup-storage.ts";
import { openDatabase } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.ts";
import { clusterFolder } from "#platform/postgres/server/create-cluster.ts";
import { stopPostmaster } from "#platform/postgres/server/postmaster.ts";
import type { Secrets } from "#platform/secrets.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { OpsContext } from "./command.ts";

const kind = "dumps";

export interface Dumps {
  /** For people: where they are. */
  place: string;
  /** The names of all, the oldest first: `2026-11-29-021500`, in UTC. */
  list(): Promise<string[]>;
  /** Replaces none: a dump of the same second is written over only by a whole one. */
  write(pool: Pool, at: Date): Promise<{ name: string; bytes: number }>;
  /** Rejects, before or while it is read, if the dump is missing, changed, or encrypted with a key that is not given. */
  load(pool: Pool, name: string): Promise<Loaded>;
  remove(name: string): Promise<void>;
}

export async function openDumps({ config, secrets }: Pick<OpsContext, "config" | "secrets">): Promise<Dumps> {
  return createDumps(await createBackupStorage(config.backupsUrl, join(config.dataDir, "backups")), secrets);
}

function createDumps(storage: BackupStorage, secrets: Secrets): Dumps {
  const keys = createBackupKeys(secrets, secrets.previous ? [secrets.previous] : []);
  const stored = (name: string) => `${kind}/${name}`;
  return {
    place: storage.place,
    list: async () => (await storage.list(kind)).map((name) => name.slice(stored("").length)),
    async write(pool, at) {
      const name = at.toISOString().slice(0, "2026-11-29T02:15:00".length).replace("T", "-").replaceAll(":", "");
      let bytes = 0;
      const measure = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          bytes += chunk.length;
          done(null, chunk);
        },
      });
      const seal = sealStream(keys.current, stored(name));
      await storage.write(
        stored(name),
        pipeline(writeDump(pool, packageJson.version), createGzip(), seal, measure, () => {}),
      );
      return { name, bytes };
    },
    async load(pool, name) {
      const opened = pipeline(await unsealStored({ storage, keys }, stored(name)), createGunzip(), () => {});
      return loadDump(pool, opened);
    },
    remove: (name) => storage.remove(stored(name)),
  };
}

/**
 * Loads it into a new PostgreSQL in a folder of the data folder, which is removed afterwards. Rejects if it can't be loaded. One at a time:
 * what an earlier, killed trial left is ended and removed first.
 */
export async function tryDump(dumps: Dumps, name: string, dataDir: string, log: Log): Promise<Loaded> {
  const folder = join(dataDir, "dump-trial");
  await removeTrial(folder);
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: folder, log, settings: { fsync: "off" } });
    const database = openDatabase(postgres.connection, log, { max: 1 });
    try {
      return await dumps.load(database.pool, name);
    } finally {
      await database.close();
      await postgres.stop();
    }
  } finally {
    await removeTrial(folder);
  }
}

async function removeTrial(folder: string): Promise<void> {
  await stopPostmaster(clusterFolder(join(folder, "postgres")));
  await rm(folder, { recursive: true, force: true });
}
