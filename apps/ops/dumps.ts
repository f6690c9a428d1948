/** The dumps of the service's own database: compressed and encrypted, in the storage of backups. */
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { pipeline, Readable, Transform } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import type { Pool, PoolConfig } from "pg";
import { loadDump, type Loaded } from "#database/dump/load-dump.ts";
import { writeDump } from "#database/dump/write-dump.ts";
import { createBackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import { sealStream } from "#domain/backups/sealed/seal-stream.ts";
import { unsealStored } from "#domain/backups/sealed/unseal-stored.ts";
import type { BackupStorage } from "#domain/backups/storage/backup-storage.ts";
import { createBackupStorage } from "#domain/backups/storage/create-backup-storage.ts";
import { after, hourMs } from "#platform/clock.ts";
import { openDatabase } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Secrets } from "#platform/secrets.ts";
import packageJson from "../../package.json" with { type: "json" };
import { CommandRefused, type OpsContext } from "./command.ts";

const kind = "dumps";
/** A tiny object for each dump that has not been restored on trial, by the dump's name. */
const untriedKind = "untried";
/** Longer than a dump and its trial take. Another service that writes to this storage, such as a restored copy, may be at it. */
const triedWithinMs = 12 * hourMs;

export interface Dumps {
  /** For people: where they are. */
  place: string;
  /** The names of those that were restored on trial, the oldest first: `2026-11-29-021500`, in UTC. */
  list(): Promise<string[]>;
  /** The names of the others: being written or tried, or left by a command that was killed. */
  listUntried(): Promise<string[]>;
  /** Replaces none: a dump of the same second is written over only by a whole one. It is untried until `noteTried`. */
  write(pool: Pool, at: Date): Promise<{ name: string; bytes: number }>;
  /** Rejects, before or while it is read, if the dump is missing, changed, or encrypted with a key that is not given. */
  load(pool: Pool, name: string): Promise<Loaded>;
  noteTried(name: string): Promise<void>;
  /** Also removes the parts of one that was never whole. */
  remove(name: string): Promise<void>;
  /** Removes untried dumps that no command can still be working on at this time. Returns their names. */
  removeAbandoned(now: Date): Promise<string[]>;
}

export async function openDumps({ config, secrets }: Pick<OpsContext, "config" | "secrets">): Promise<Dumps> {
  return createDumps(await createBackupStorage(config.backupsUrl, join(config.dataDir, "backups")), secrets);
}

/** In this storage, encrypted with these secrets. */
export function createDumps(storage: BackupStorage, secrets: Secrets): Dumps {
  const keys = createBackupKeys(secrets, secrets.previous ? [secrets.previous] : []);
  const stored = (name: string) => `${kind}/${name}`;
  const mark = (name: string) => `${untriedKind}/${name}`;
  const listUntried = async () => (await storage.list(untriedKind)).map((name) => name.slice(mark("").length));
  // The mark goes last: a command that is killed in between removes the rest at its next run.
  const remove = async (name: string) => {
    await storage.remove(stored(name));
    await storage.remove(mark(name));
  };
  return {
    place: storage.place,
    async list() {
      const untried = new Set(await listUntried());
      return (await storage.list(kind)).map((name) => name.slice(stored("").length)).filter((name) => !untried.has(name));
    },
    listUntried,
    async write(pool, at) {
      const name = nameOf(at);
      // Before the dump: whatever is left of it is found again.
      await storage.write(mark(name), Readable.from([Buffer.from("-")], { objectMode: false }));
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
    noteTried: (name) => storage.remove(mark(name)),
    remove,
    async removeAbandoned(now) {
      const newest = nameOf(after(now, -triedWithinMs));
      const abandoned = (await listUntried()).filter((name) => name < newest);
      for (const name of abandoned) await remove(name);
      return abandoned;
    },
  };
}

/** `2026-11-29-021500`: names sort by time. */
const nameOf = (at: Date): string => at.toISOString().slice(0, "2026-11-29T02:15:00".length).replace("T", "-").replaceAll(":", "");

/** How many rows it has in all tables. */
export const rowsOf = ({ rows }: Loaded): number => Object.values(rows).reduce((sum, count) => sum + count, 0);

const trialName = "slipway_dump_trial";
/** PostgreSQL's code for a role that may not create databases. */
const notAllowed = "42501";

export interface DumpTrial {
  /** Loads the dump. Rejects if it can't be loaded. */
  load(name: string): Promise<Loaded>;
  /** Removes what was loaded. */
  close(): Promise<void>;
}

/**
 * An empty database beside the service's, on the same server, in which a dump is restored on trial; one at a time. What an earlier, killed
 * trial left is removed first. Throws CommandRefused if the role may not create databases.
 */
export async function openTrial(dumps: Dumps, connection: PoolConfig, log: Log): Promise<DumpTrial> {
  const server = openDatabase(connection, log, { max: 1, kind: "dump" });
  const drop = () => server.pool.query(`drop database if exists ${trialName} with (force)`);
  try {
    await drop();
    await server.pool.query(`create database ${trialName} template template0`);
  } catch (error) {
    await server.close();
    if ((error as { code?: string }).code !== notAllowed) throw error;
    throw new CommandRefused(
      "The service's role may not create databases, so no dump could be restored on trial. Allow it (alter role … createdb), or back up this PostgreSQL by its own tools and record that with note-dump.",
    );
  }
  const trial = openDatabase(ofDatabase(connection, trialName), log, { max: 1, kind: "dump" });
  return {
    load: (name) => dumps.load(trial.pool, name),
    async close() {
      await trial.close();
      await drop().finally(() => server.close());
    },
  };
}

/** The same server and role. */
function ofDatabase({ connectionString, ...rest }: PoolConfig, database: string): PoolConfig {
  if (connectionString === undefined) return { ...rest, database };
  const url = new URL(connectionString);
  url.pathname = `/${database}`;
  return { ...rest, connectionString: url.href };
}

/** What the trial and its write-ahead log may take, beside the dump itself. */
const walBytes = 2 * 1024 ** 3;

/** Throws CommandRefused if the disk of the embedded database, which is also the service's, has no room for a second copy of it. */
export async function refuseWithoutRoom(pool: Pool, dataDir: string): Promise<void> {
  const { rows } = await pool.query<{ bytes: string }>("select pg_database_size(current_database()) as bytes");
  const { bavail, bsize } = await statfs(dataDir);
  const needed = 2 * Number(rows[0]!.bytes) + walBytes;
  if (bavail * bsize < needed)
    throw new CommandRefused(
      `A dump and its restore on trial need ${Math.ceil(needed / 1024 ** 3)} GB of free disk, and ${dataDir} has ${Math.floor((bavail * bsize) / 1024 ** 3)} GB.`,
    );
}
