/** The connection to PostgreSQL: a pool, the typed layer over it, and notifications between processes. */
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { DrizzleQueryError } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import * as tables from "#database/tables.ts";
import type { Log } from "./log.ts";
import { limitSession, sessionLimits, type SessionKind, type SessionLimits } from "./postgres/session-limits.ts";
import { asWork } from "./tracing/current-work.ts";

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
 * Connections in the pool of one process (DATABASE_POOL_MAX). With the usual number, PostgreSQL's default of 100 serves several processes.
 * Work that has a transaction open may need a second connection, so a very small pool waits for itself; the tests run with the smallest.
 * The largest leaves one process room in PostgreSQL's default, and a process on one CPU core has no use for more.
 */
export const poolSizes = { usual: 10, smallest: 5, largest: 80 };

interface PoolLimits {
  /** The most connections. */
  max?: number;
  /** What its sessions are for. */
  kind?: SessionKind;
  /** Other limits than those of the kind, for tests. */
  limits?: Partial<SessionLimits>;
}

/**
 * Opens a pool, each session with the limits of its kind. A statement that the server does not answer in time is rejected, and its
 * connection replaced: the server is frozen, or gone silently (a failover, dropped packets), which TCP notices only after 15 minutes.
 */
export function openDatabase(
  connection: pg.PoolConfig,
  log: Log,
  { max = poolSizes.usual, kind = "serving", limits: others = {} }: PoolLimits = {},
): DatabaseHandle {
  const limits = { ...sessionLimits[kind], ...others };
  const idle = new Set<pg.PoolClient>();
  // A connection outlives the request that opened it, so its log lines must not carry that request's ids.
  const ofNoWork = (run: () => void): void => asWork({}, null, run);
  const pool = new pg.Pool({
    max,
    application_name: "slipway",
    connectionTimeoutMillis: limits.connectMs,
    keepAlive: true,
    ...connection,
    // Before its first statement: a session without limits never does any work.
    onConnect: async (client) => {
      // For a connection in use between two statements, to which the pool does not listen: the next statement of its transaction fails.
      client.on("error", (error) => ofNoWork(() => log.debug({ err: error }, "a database connection was lost")));
      // Whatever silenced one connection has silenced the others, and each would delay a caller for as long.
      endWhenSilent(client, limits.silenceMs, (reason) => idle.forEach((each) => inside(each).connection.stream.destroy(reason)));
      await limitSession(client, limits);
    },
  });
  pool.on("acquire", (client) => idle.delete(client));
  pool.on("release", (_error, client) => idle.add(client));
  pool.on("remove", (client) => idle.delete(client));
  // A connection that dies idle is replaced at the next query; without a listener it would end the process.
  let isClosing = false;
  // While the pool is closing, the server may stop before it: that is not an error.
  pool.on("error", (error) => isClosing || ofNoWork(() => log.warn({ err: error }, "an idle database connection was lost")));
  const close = async (): Promise<void> => {
    isClosing = true;
    await pool.end();
  };
  return { db: databaseOf(pool), pool, close };
}

function databaseOf(pool: pg.Pool): Database {
  const db = drizzle(pool, { schema: tables });
  // Drizzle's own never returns a connection whose `begin` fails: each of those would permanently reduce the pool.
  // Without the tables, each of which would be processed again for the unused `query`: that takes half a millisecond.
  db.transaction = (work, config) =>
    againAfterConflict(() => onOneConnection(pool, (client) => drizzle(client).transaction(work as never, config)));
  return db;
}

/** Outlasts a few transactions that meet again; a program that always deadlocks has to be seen. */
const mostTries = 4;
/** The other transaction may end in this time: PostgreSQL ends only one of those that meet. */
const pauseMs = 20;
/** A deadlock, of whose transactions PostgreSQL ended this one, and a serialization failure. Neither has changed anything. */
const conflictCodes: ReadonlySet<unknown> = new Set(["40P01", "40001"]);

/** Whatever wrapped it: a query's error, or a use case's that says what it could not do. */
const isConflict = (error: unknown): boolean =>
  error instanceof Error && (conflictCodes.has((error as { code?: unknown }).code) || isConflict(error.cause));

/** Runs a transaction's work again if PostgreSQL undid it for another transaction's sake, so the work must have no effects outside of it. */
async function againAfterConflict<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await run();
    } catch (error) {
      if (tries === mostTries || !isConflict(error)) throw error;
      await delay(pauseMs * tries);
    }
}

/**
 * The same database for work that may only be done while this process holds a lock: each statement and each transaction begins once `held`
 * resolves, and fails if it rejects. A transaction that has begun is the server's to end, with the session that it lost.
 */
export function fenceDatabase(pool: pg.Pool, held: () => Promise<void>): Database {
  const fenced = {
    query: async (...given: unknown[]) => {
      await held();
      return (pool.query as (...all: unknown[]) => unknown)(...given);
    },
    connect: async () => {
      await held();
      return pool.connect();
    },
  };
  return databaseOf(
    new Proxy(pool, {
      get: (real, name) => (name === "query" || name === "connect" ? fenced[name] : Reflect.get(real, name, real)),
    }),
  );
}

/** Returns the connection to the pool whatever the work's outcome; if it is not ready for another statement by then, it is closed. */
async function onOneConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release(!inside(client).readyForQuery);
  }
}

/** Members of pg's client that its types lack: the socket, and whether a statement waits for its answer. */
interface ClientInside {
  connection: { stream: Socket };
  readyForQuery: boolean;
}
const inside = (client: pg.ClientBase) => client as unknown as ClientInside;

/** Ending a statement only in the client (`query_timeout`) would leave the connection's next statement waiting behind it. */
function endWhenSilent(client: pg.ClientBase, silenceMs: number, onSilence: (reason: Error) => void): void {
  const { stream } = inside(client).connection;
  stream.setTimeout(silenceMs);
  stream.on("timeout", () => {
    if (inside(client).readyForQuery) return;
    const reason = new Error(`the database has not answered for ${silenceMs} ms`);
    onSilence(reason);
    // Runs after the pool has noticed that the others ended, so that a rejected caller who tries again gets none of them.
    setImmediate(() => stream.destroy(reason));
  });
}

/** Closes a connection without a goodbye, which a dead peer never answers. */
export function destroyConnection(client: pg.ClientBase): void {
  inside(client).connection.stream.destroy();
}

/** For a connection whose statements may take any time, such as migrations and waits for locks. */
export function allowSilence(client: pg.ClientBase): void {
  inside(client).connection.stream.setTimeout(0);
}

/** The server refuses sessions for now, or ended this one: a restart, a crash, a failover. By PostgreSQL's codes and the system's. */
const awayCodes =
  /^(?:57P0[1235]|08\d{3}|53300|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** Errors of pg's client and of `endWhenSilent`, which have no code. */
const awayMessages = /^(?:Connection terminated|timeout exceeded when trying to connect|the database has not answered)/;

/**
 * The server ended a statement at one of its limits (session-limits.ts): it waited for a lock, took too long, met another transaction too
 * often, or its transaction was idle.
 */
const limitCodes = /^(?:55P03|57014|40P01|40001|25P0[34])$/;

/**
 * Whether a statement or a transaction failed because the database could not be reached, went away before it answered, or could not do it
 * within the limits of its session. Nothing happened, and the same may be tried again.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DrizzleQueryError) return isDatabaseAway(error.cause);
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  // Not of a file, which has the same codes.
  const isOfConnection = error instanceof pg.DatabaseError || syscall === "connect" || syscall === "read" || syscall === "write";
  return isOfConnection ? awayCodes.test(code ?? "") || limitCodes.test(code ?? "") : awayMessages.test(error.message);
}
