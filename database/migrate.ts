/** Brings a database to this release's schema. Forward only; drizzle's migrator takes no lock, so we do. */
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { migrate as applyMigrations } from "drizzle-orm/node-postgres/migrator";
import type { PoolClient } from "pg";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { secondMs } from "#platform/clock.ts";
import { allowSilence, type Database, type DatabaseHandle } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { StartStopped, StartTrouble } from "#platform/start-trouble.ts";

const migrationsFolder = fileURLToPath(new URL("migrations", import.meta.url));

/** An arbitrary number that must never change: releases with different numbers could migrate at the same time. */
const lockKey = 7_236_491;
/** How long a process waits for another one to migrate, and for locks on tables. */
const lockTimeoutMs = 60_000;

const newerDatabase =
  "The database was migrated by a newer release of Slipway, and this one does not know its tables. Start the newer release, or restore the data folder and database that you backed up before the update.";

/**
 * Applies all missing migrations or none, and resolves with their number; of several simultaneous processes, one works and the others wait
 * for it. Refuses, with StartTrouble, a database that a newer release has migrated: this release could damage its data.
 */
export async function migrate({ pool }: Pick<DatabaseHandle, "pool">, log: Log): Promise<number> {
  const client = await pool.connect();
  try {
    // Migrations may run longer than a query may; the wait for locks limits them.
    allowSilence(client);
    await client.query("set statement_timeout = 0");
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
    await client.query("select pg_advisory_lock($1)", [lockKey]);
    const before = await newestApplied(drizzle({ client }));
    if (before > newestKnown()) throw new StartTrouble(newerDatabase);
    await applyMigrations(drizzle({ client }), { migrationsFolder });
    const applied = migrations().filter(({ folderMillis }) => folderMillis > before).length;
    log.info({ applied }, applied === 0 ? "the database was up to date" : "the database is migrated");
    return applied;
  } catch (error) {
    throw explain(error);
  } finally {
    // Closed, not returned to the pool: that releases the lock and resets the settings, whatever happened above.
    client.release(true);
  }
}

function explain(error: unknown): unknown {
  const code = (error as { code?: string; cause?: { code?: string } }).code ?? (error as { cause?: { code?: string } }).cause?.code;
  if (code !== "55P03") return error;
  return new StartTrouble(
    `The database could not be migrated: another process has held it for ${lockTimeoutMs / 1000} s. Stop the other Slipway, or wait for it and start again.`,
    { cause: error },
  );
}

/**
 * Makes the tables of an earlier or this release in an empty database, in the client's transaction: for a dump of that release. False if
 * this release does not know the migration.
 */
export async function migrateTo(client: PoolClient, newest: number): Promise<boolean> {
  const wanted = migrations().filter(({ folderMillis }) => folderMillis <= newest);
  if (wanted.at(-1)?.folderMillis !== newest) return false;
  for (const { sql: statements } of wanted) for (const statement of statements) await client.query(statement);
  // As drizzle's migrator keeps them.
  await client.query("create schema drizzle");
  await client.query("create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)");
  for (const { hash, folderMillis } of wanted)
    await client.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)", [hash, folderMillis]);
  return true;
}

const lookEveryMs = 500;
/** How often the log repeats that the process still waits. */
const sayEveryMs = 30 * secondMs;

/**
 * Resolves once another process has applied every migration of this release. Throws StartTrouble if a newer release has migrated the
 * database, and StartStopped if `stopped`.
 */
export async function waitUntilMigrated(db: Pick<Database, "execute">, log: Log, stopped?: AbortSignal): Promise<void> {
  for (let saidAt = -Infinity; ;) {
    const newest = await newestApplied(db);
    if (newest > newestKnown()) throw new StartTrouble(newerDatabase);
    if (newest === newestKnown()) return;
    if (performance.now() - saidAt >= sayEveryMs) {
      saidAt = performance.now();
      log.warn("the database has an older schema than this release: waiting for npm run ops -- migrate");
    }
    await delay(lookEveryMs, undefined, { signal: stopped }).catch(() => undefined);
    if (stopped?.aborted) throw new StartStopped("Stopped while waiting for the database to be migrated.");
  }
}

/** Whether every migration of this release is applied; newer ones do not matter. */
export async function isMigrated(db: Pick<Database, "execute">): Promise<boolean> {
  return (await newestApplied(db)) >= newestKnown();
}

/** The newest migration of the database, in milliseconds since 1970; 0: none. */
export async function newestApplied(db: Pick<Database, "execute">): Promise<number> {
  const { rows } = await db.execute<{ exists: boolean }>(sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`);
  if (!rows[0]?.exists) return 0;
  const newest = await db.execute<{ at: string | null }>(sql`select max(created_at) as at from drizzle.__drizzle_migrations`);
  return Number(newest.rows[0]?.at ?? 0);
}

let known: ReturnType<typeof readMigrationFiles> | undefined;
const migrations = () => (known ??= readMigrationFiles({ migrationsFolder }));
const newestKnown = () => migrations().at(-1)?.folderMillis ?? 0;
