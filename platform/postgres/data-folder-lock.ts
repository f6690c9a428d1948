/** One program a data folder: a lock in its database, which PostgreSQL lets go of by itself when its holder dies. */
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { hostname } from "node:os";
import { Client, type ClientConfig } from "pg";
import { StartTrouble } from "../start-trouble.ts";

export class DataFolderInUse extends StartTrouble {
  constructor(dataDir: string, pid: string | undefined) {
    super(`The data folder ${dataDir} is in use by another Slipway${pid ? ` (process ${pid})` : ""}. Stop that one first, or choose another DATA_DIR.`);
    this.name = "DataFolderInUse";
  }
}

export interface DataFolderLock {
  /** Lets the folder go, for a database that runs on; stopping the embedded database lets it go as well. */
  release(): Promise<void>;
  /** Resolves when the lock is gone without `release`: the database ended the session, so another program may come in. */
  lost: Promise<void>;
}

const namePrefix = "slipway data folder, process ";

/**
 * Takes the data folder for this process, by a session of its own; refuses with DataFolderInUse. Whoever is refused must
 * leave the embedded database running: it serves the other one. Takes no other session's place, so any number may try.
 */
export async function acquireDataFolder(connection: ClientConfig, dataDir: string): Promise<DataFolderLock> {
  const client = new Client({ ...connection, application_name: `${namePrefix}${process.pid}`, keepAlive: true });
  let released = false;
  const lost = new Promise<void>((resolve) => client.once("end", () => released || resolve()));
  client.on("error", () => {});
  await client.connect();
  const key = lockKey(dataDir);
  try {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [key]);
    if (!rows[0]?.taken) throw new DataFolderInUse(dataDir, await findHolder(client, key));
  } catch (error) {
    released = true;
    await client.end();
    throw error;
  }
  return {
    lost,
    async release() {
      released = true;
      await client.end();
    },
  };
}

/** Of this folder on this machine: a database of its own may serve several machines, each with a data folder. */
function lockKey(dataDir: string): string {
  return createHash("sha256").update(`slipway data folder\0${hostname()}\0${realpathSync(dataDir)}`).digest().readBigInt64BE().toString();
}

async function findHolder(client: Client, key: string): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and objsubid = 1 and pg_locks.database = (select oid from pg_database where datname = current_database())
       and (classid::bigint << 32 | objid::bigint) = $1`,
    [key],
  );
  return rows[0]?.name.startsWith(namePrefix) ? rows[0].name.slice(namePrefix.length) : undefined;
}
