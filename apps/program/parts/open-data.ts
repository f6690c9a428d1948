/** Opens the data folder and the database (embedded or external), locks the folder if this process writes there, migrates and seeds. */
import { migrate, waitUntilMigrated } from "#database/migrate.ts";
import { openDatabase, type DatabaseHandle } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { acquireDataFolder, announceProcess, type HeldLock } from "#platform/postgres/server/data-folder-lock.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.ts";
import { prepareDataFolder } from "#platform/postgres/server/prepare-data-folder.ts";
import { StartTrouble } from "#platform/start-trouble.ts";
import type { Pool, PoolConfig } from "pg";
import { explainStart } from "../explain-start.ts";
import type { Config } from "../settings/config.ts";
import { seedPlans } from "./seed-plans.ts";

interface OpenData {
  connection: PoolConfig;
  database: DatabaseHandle;
  /** The lock on the data folder; null: this process writes nothing there, so it needs none. */
  folder: HeldLock | null;
  /** Whether no other process of the service is connected to the database. */
  isOnlyProgram(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Throws StartTrouble, and then leaves alone a database that another program is using. If a job applies the migrations, waits for it;
 * throws StartStopped if `stopped` aborts first.
 */
export async function openData(config: Config, log: Log, stopped?: AbortSignal): Promise<OpenData> {
  prepareDataFolder(config.dataDir);
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  const connection: PoolConfig = embedded?.connection ?? { connectionString: config.databaseUrl };
  const lock = writesToFolder(config) ? acquireDataFolder(connection, config.dataDir) : null;
  const session = await (lock ?? announceProcess(connection)).catch((error: unknown) => refuse(config, error));
  embedded?.keepRunning();
  const database = openDatabase(connection, log, { max: config.databasePoolMax });
  const close = async () => {
    await database.close();
    await session.release();
    await embedded?.stop();
  };
  try {
    await refuseOldServer(database.pool);
    if (config.migratesAtStart) await migrate(database, log);
    else await waitUntilMigrated(database.db, log, stopped);
    await seedPlans(database.db, config, log);
  } catch (error) {
    await close();
    throw error;
  }
  return { connection, database, folder: await lock, isOnlyProgram: session.isOnlyProgram, close };
}

/** Nothing is tested with older ones. */
const oldestServer = 15;

/** Throws StartTrouble if PostgreSQL is older than the tables need. */
export async function refuseOldServer(pool: Pick<Pool, "query">): Promise<void> {
  const { rows } = await pool.query<{ version: string }>("select current_setting('server_version_num') as version");
  const major = Math.floor(Number(rows[0]?.version) / 10_000);
  if (major >= oldestServer) return;
  throw new StartTrouble(
    `The database of DATABASE_URL is PostgreSQL ${major}, and Slipway needs ${oldestServer} or later. Upgrade it (pg_upgrade), or choose another server.`,
  );
}

/** Workspaces, backups and engines are a worker's; the embedded database is in the folder. Gateways and the API only read there. */
const writesToFolder = ({ databaseUrl, roles }: Config): boolean => !databaseUrl || roles.has("worker");

/** Only the operator can repair access to an external database. PostgreSQL's message says what is wrong and contains no password. */
function refuse(config: Config, error: unknown): never {
  const explained = explainStart(error, config);
  const { code, message } = error as NodeJS.ErrnoException;
  // Errors of the client itself, such as a server without TLS, have no code.
  if (explained instanceof StartTrouble || !config.databaseUrl || !(code || message)) throw explained;
  throw new StartTrouble(`The database of DATABASE_URL can't be used: ${message || code}. Start it or correct DATABASE_URL.`, {
    cause: error,
  });
}
