/** Global set-up of the tests: one PostgreSQL for the whole run, with a migrated database to copy. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "#database/migrate.ts";
import { openDatabase } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.ts";
import { stopPostmaster } from "#platform/postgres/server/postmaster.ts";
import { makeMemoryFolder, removeLeftFolders } from "./memory-folder.ts";
import { keepPreparedDatabase } from "./program/prepared-database.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: pg.ClientConfig;
  }
}

const prefix = "slipway-test-postgres-";

export default async function startTestPostgres(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers();
  const log = createLog("warn");
  const dataDir = makeMemoryFolder(prefix);
  // Nothing here has to survive a power cut; every worker of the runner has its own connections.
  const settings = { fsync: "off", full_page_writes: "off", synchronous_commit: "off", max_connections: "300" };
  const start = () => startEmbeddedPostgres({ dataDir, log, settings });
  let postgres = await start();
  const remove = async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const database = openDatabase(postgres.connection, log, { max: 1 });
    await migrate(database, log);
    // A database is copied only while it has no connections, and a server's folder only while it is stopped.
    await database.close();
    await postgres.stop();
    keepPreparedDatabase(dataDir, join(dataDir, "prepared"));
    postgres = await start();
    await writeRelationCache(postgres.connection);
    project.provide("postgres", postgres.connection as pg.ClientConfig);
    return remove;
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * The first connection to a database writes the file that later ones read the catalogue from, and a starting server deletes all of them.
 * Written once, it is part of each copy, whose first connection otherwise takes 2 ms of CPU to collect it.
 */
async function writeRelationCache(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.end();
}

/** A run that was killed leaves its server behind: whose process is gone is stopped and removed. */
const removeLeftovers = (): Promise<void> =>
  removeLeftFolders(prefix, async (folder) => {
    await stopPostmaster(join(folder, "postgres", "cluster"));
    rmSync(folder, { recursive: true, force: true });
  });
