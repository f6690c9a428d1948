/** Brings a database to this release's schema. Forward only; drizzle's migrator takes no lock, so we do. */
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { escapeIdentifier, type PoolClient } from "pg";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { allowSilence, type Database, type DatabaseHandle } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { limitSession, sessionLimits } from "#platform/postgres/session-limits.ts";
import { StartStopped, StartTrouble } from "#platform/start-trouble.ts";
import { mayRun, noteOldestProgram } from "./oldest-program.ts";

const migrationsFolder = fileURLToPath(new URL("migrations", import.meta.url));

/** An arbitrary number that must never change: releases with different numbers could migrate at the same time. */
const lockKey = 7_236_491;
/** How long a process waits for another one to migrate. */
const otherProcessMs = minuteMs;

/**
 * How long a file waits for locks on tables, how long it then lets others go first, and for how long it tries. Everybody who reads a table
 * waits behind the one who waits to change it, so it waits for 2 s at a time; a dump that reads every table takes minutes.
 */
export interface LockPatience {
  lockMs: number;
  pauseMs: number;
  triesMs: number;
}
const usualPatience: LockPatience = { lockMs: sessionLimits.migration.lockMs, pauseMs: 2 * secondMs, triesMs: 10 * minuteMs };

const newerDatabase =
  "The database was migrated by a newer release of Slipway, on whose tables this one can't run. Start the newer release, or restore the data folder and database that you backed up before the update.";

const runsOnNewer = "a newer release has migrated the database, and allows this one to run on it";

/**
 * Applies all missing migrations, each file in one transaction, and resolves with their number; of several simultaneous processes, one works
 * and the others wait for it. If one fails, those before it stay, and the next attempt begins with it. A database that a newer release has
 * migrated is left as it is; refuses it, with StartTrouble, unless that release allows this one to run on it (oldest-program.ts).
 */
export async function migrate({ pool }: Pick<DatabaseHandle, "pool">, log: Log): Promise<number> {
  const client = await pool.connect();
  try {
    // Migrations may run longer than a query may; the wait for locks limits them.
    allowSilence(client);
    await limitSession(client, sessionLimits.migration);
    await takeLock(client);
    const before = await newestApplied(drizzle({ client }));
    if (await isNewer(drizzle({ client }))) {
      log.warn(runsOnNewer);
      return 0;
    }
    await noteOldestProgram(drizzle({ client }));
    const missing = migrations().filter(({ folderMillis }) => folderMillis > before);
    for (const file of missing) await applyFile(client, file, log);
    log.info({ applied: missing.length }, missing.length === 0 ? "the database was up to date" : "the database is migrated");
    return missing.length;
  } finally {
    // Closed, not returned to the pool: that releases the lock and resets the settings, whatever happened above.
    client.release(true);
  }
}

/** Whether a newer release has migrated the database and allows this one. Throws StartTrouble if it does not. */
export async function isNewer(db: Pick<Database, "execute">): Promise<boolean> {
  if ((await newestApplied(db)) <= newestKnown()) return false;
  if (await mayRun(db, newestKnown())) return true;
  throw new StartTrouble(newerDatabase);
}

/** Looked for again and again: a statement that waits for minutes would be ended. */
async function takeLock(client: PoolClient): Promise<void> {
  for (const from = performance.now(); ;) {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [lockKey]);
    if (rows[0]!.taken) return;
    if (performance.now() - from > otherProcessMs) throw heldTooLong("another process has been migrating it", otherProcessMs);
    await delay(lookEveryMs);
  }
}

const heldTooLong = (what: string, ms: number, cause?: unknown): StartTrouble =>
  new StartTrouble(
    `The database could not be migrated: ${what} for ${ms / 1000} s. Stop the other Slipway or program, or wait for it and start again.`,
    { cause },
  );

export interface MigrationFile {
  sql: string[];
  hash: string;
  /** When it was written, in milliseconds since 1970: its place in the order. */
  folderMillis: number;
}

const concurrently = /^\s*create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?/i;

/**
 * Applies one file and notes it, or neither. While another session keeps a lock that it needs, it gives up quickly and tries again, so that
 * readers wait for moments only; also if it was the one that PostgreSQL ended in a deadlock. Indexes that are made concurrently have a file
 * without anything else: they need no transaction. Throws StartTrouble if others keep the locks for too long, or rows violate a new rule.
 */
export async function applyFile(client: PoolClient, file: MigrationFile, log: Log, patience = usualPatience): Promise<void> {
  const apply = file.sql.some((statement) => concurrently.test(statement)) ? makeIndexes : inTransaction;
  for (const from = performance.now(); ;) {
    try {
      return await apply(client, file, patience);
    } catch (error) {
      if (!othersCodes.has((error as { code?: string }).code)) throw explainRule(error);
      if (performance.now() - from > patience.triesMs) throw heldTooLong("others have used its tables", patience.triesMs, error);
      log.warn({ migration: file.folderMillis }, "a migration waits for others that use its tables, and is tried again");
      await delay(patience.pauseMs);
    }
  }
}

/** A lock that another session keeps, and a deadlock, of whose transactions PostgreSQL ended this one. Neither has changed anything. */
const othersCodes: ReadonlySet<string | undefined> = new Set(["55P03", "40P01"]);

/** A rule's check and a reference: only rows of this database can violate what a new migration demands. */
const ruleCodes: ReadonlySet<string | undefined> = new Set(["23514", "23503"]);

function explainRule(error: unknown): unknown {
  const { code, table, constraint } = error as { code?: string; table?: string; constraint?: string };
  if (!ruleCodes.has(code)) return error;
  return new StartTrouble(
    `The database could not be migrated: rows of the table ${table} violate the rule ${constraint} of this release. That migration changed nothing, and the release before still starts; docs/runbooks/start-and-stop.md, "Rows that violate a rule", says how to find and correct them.`,
    { cause: error },
  );
}

async function inTransaction(client: PoolClient, file: MigrationFile, { lockMs }: LockPatience): Promise<void> {
  await client.query("begin");
  try {
    await client.query(`set local lock_timeout = ${lockMs}`);
    for (const statement of file.sql) await client.query(statement);
    await note(client, file);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/** Nothing waits behind these, so they may wait for the oldest transaction. */
async function makeIndexes(client: PoolClient, file: MigrationFile, { triesMs }: LockPatience): Promise<void> {
  await client.query(`set lock_timeout = ${triesMs}`);
  for (const statement of file.sql) {
    const [, name] = concurrently.exec(statement) ?? [];
    // An attempt that failed leaves an index that is not used, and the name is taken; one that succeeded is kept.
    const { rows } = await client.query<{ valid: boolean }>(
      "select indisvalid as valid from pg_index where indexrelid = to_regclass(quote_ident($1))",
      [name],
    );
    if (rows[0]?.valid === false) await client.query(`drop index concurrently ${escapeIdentifier(name!)}`);
    if (rows[0]?.valid !== true) await client.query(statement);
  }
  await note(client, file);
}

/** As drizzle's migrator noted those of earlier releases. */
async function note(client: PoolClient, { hash, folderMillis }: MigrationFile): Promise<void> {
  await client.query("create schema if not exists drizzle");
  await client.query(
    "create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)",
  );
  await client.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)", [hash, folderMillis]);
}

/**
 * Makes the tables of an earlier or this release in an empty database, in the client's transaction: for a dump of that release. False if
 * this release does not know the migration.
 */
export async function migrateTo(client: PoolClient, newest: number): Promise<boolean> {
  const wanted = migrations().filter(({ folderMillis }) => folderMillis <= newest);
  if (wanted.at(-1)?.folderMillis !== newest) return false;
  for (const { sql: statements } of wanted) for (const statement of statements) await client.query(statement);
  for (const file of wanted) await note(client, file);
  return true;
}

const lookEveryMs = 500;
/** How often the log repeats that the process still waits. */
const sayEveryMs = 30 * secondMs;

/**
 * Resolves once another process has applied every migration of this release. Throws StartTrouble if a newer release has migrated the
 * database and does not allow this one, and StartStopped if `stopped`.
 */
export async function waitUntilMigrated(db: Pick<Database, "execute">, log: Log, stopped?: AbortSignal): Promise<void> {
  for (let saidAt = -Infinity; ;) {
    if (await isNewer(db)) return log.warn(runsOnNewer);
    if (await isMigrated(db)) return;
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
