/** The way to PostgreSQL: a pool, the typed layer over it, and notifications between processes. */
import type { Socket } from "node:net";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import * as tables from "#database/tables.ts";
import { secondMs } from "./clock.ts";
import type { Log } from "./log.ts";

export type Database = NodePgDatabase<typeof tables>;
/** A database or a transaction of it: what every store function takes. */
export type Connection = Pick<
  Database,
  "select" | "insert" | "update" | "delete" | "execute" | "selectDistinct" | "selectDistinctOn" | "$with" | "with"
>;

export interface DatabaseHandle {
  db: Database;
  pool: pg.Pool;
  close(): Promise<void>;
}

/**
 * A connection that sends nothing for this long while a statement waits is given up: its server is frozen, or gone without a word
 * (a failover, dropped packets), which TCP itself notices after 15 minutes. Longer than any statement of ours takes, migrations aside.
 */
const longestSilenceMs = 20 * secondMs;

export interface PoolLimits {
  /** Connections at most. PostgreSQL's default of 100 then serves several processes. */
  max?: number;
  /** How long a statement, or a new connection, may go unanswered, in milliseconds. */
  silenceMs?: number;
}

/** Opens a pool. A statement that the server does not answer in time is rejected, and its connection replaced. */
export function openDatabase(
  connection: pg.PoolConfig,
  log: Log,
  { max = 10, silenceMs = longestSilenceMs }: PoolLimits = {},
): DatabaseHandle {
  const pool = new pg.Pool({ max, application_name: "slipway", connectionTimeoutMillis: silenceMs, keepAlive: true, ...connection });
  const idle = new Set<pg.PoolClient>();
  pool.on("acquire", (client) => idle.delete(client));
  pool.on("release", (_error, client) => idle.add(client));
  pool.on("remove", (client) => idle.delete(client));
  // A connection that dies idle is replaced at the next query; without a listener it would end the process.
  let isClosing = false;
  // While this end says goodbye a server that stops as well may be quicker: that is no loss.
  pool.on("error", (error) => isClosing || log.warn({ err: error }, "an idle database connection was lost"));
  pool.on("connect", (client) => {
    // The same for one in use between two statements, which the pool does not listen to: the next statement of its transaction fails.
    client.on("error", (error) => log.debug({ err: error }, "a database connection was lost"));
    // What silenced one has silenced those beside it, and each of them would keep somebody waiting as long.
    endWhenSilent(client, silenceMs, (reason) => idle.forEach((each) => inside(each).connection.stream.destroy(reason)));
  });
  const close = async (): Promise<void> => {
    isClosing = true;
    await pool.end();
  };
  const db = drizzle(pool, { schema: tables });
  // Drizzle's own never gives back a connection whose `begin` fails: each that dies then would take a place of the pool for good.
  // Without the tables, of which each would be looked through again for `query`, that nobody calls: half a millisecond.
  db.transaction = (work, config) => onOneConnection(pool, (client) => drizzle(client).transaction(work as never, config));
  return { db, pool, close };
}

/** Gives the connection back whatever comes of the work; one that is not ready for another statement by then is ended. */
async function onOneConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release(!inside(client).readyForQuery);
  }
}

/** What pg has and does not declare: the socket, and whether no statement waits for its answer. */
interface ClientInside {
  connection: { stream: Socket };
  readyForQuery: boolean;
}
const inside = (client: pg.ClientBase) => client as unknown as ClientInside;

/** A statement's end by the client alone (`query_timeout`) would leave the next one of the same connection waiting behind it. */
function endWhenSilent(client: pg.ClientBase, silenceMs: number, onSilence: (reason: Error) => void): void {
  const { stream } = inside(client).connection;
  stream.setTimeout(silenceMs);
  stream.on("timeout", () => {
    if (inside(client).readyForQuery) return;
    const reason = new Error(`the database has not answered for ${silenceMs} ms`);
    onSilence(reason);
    // After the pool has heard of the others' end: whoever is rejected here and asks again gets none of them.
    setImmediate(() => stream.destroy(reason));
  });
}

/** Ends a connection without a goodbye, which a dead peer never answers. */
export function destroyConnection(client: pg.ClientBase): void {
  inside(client).connection.stream.destroy();
}

/** For one connection whose statements may take any time, such as migrations and waits for locks. */
export function allowSilence(client: pg.ClientBase): void {
  inside(client).connection.stream.setTimeout(0);
}
