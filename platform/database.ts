/** The way to PostgreSQL: a pool, the typed layer over it, and notifications between processes. */
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import * as tables from "#database/tables.ts";
import type { Log } from "./log.ts";

export type Database = NodePgDatabase<typeof tables>;
/** A database or a transaction of it: what every store function takes. */
export type Connection = Pick<Database, "select" | "insert" | "update" | "delete" | "execute" | "selectDistinct" | "selectDistinctOn" | "$with" | "with">;

export interface DatabaseHandle {
  db: Database;
  pool: pg.Pool;
  close(): Promise<void>;
}

/** Opens a pool. 10 connections: PostgreSQL's default of 100 then serves several processes; `max` is for tests. */
export function openDatabase(connection: pg.PoolConfig, log: Log, max = 10): DatabaseHandle {
  const pool = new pg.Pool({ max, application_name: "slipway", ...connection });
  // A connection that dies idle is replaced at the next query; without a listener it would end the process.
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  // The same for one in use between two statements, which the pool does not listen to: the next statement of its transaction fails.
  pool.on("connect", (client) => client.on("error", (error) => log.debug({ err: error }, "a database connection was lost")));
  return { db: drizzle(pool, { schema: tables }), pool, close: () => pool.end() };
}
