/** A new, migrated database on a real PostgreSQL for each test; the server is one per run (start-test-postgres.ts). */
import { randomBytes } from "node:crypto";
import { Client, type ClientConfig, type PoolConfig } from "pg";
import { inject } from "vitest";
import { minuteMs } from "#platform/clock.ts";
import { openDatabase, poolSizes, type DatabaseHandle } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";

export interface TestDatabase extends DatabaseHandle, AsyncDisposable {
  /** For code that opens its own connections, also in another process. */
  connection: PoolConfig;
  /** The same as a URL, for DATABASE_URL. */
  url: string;
}

/** A test may keep a lock for as long as a busy machine takes. What a service's own limits do is tested with abandoned-work.slow.test.ts. */
const ofTests = { lockMs: 10 * minuteMs, statementMs: 15 * minuteMs, idleInTransactionMs: 15 * minuteMs };

/** Creates a database; `close` (or `await using`) ends its connections, from any process, and drops it. */
export async function createTestDatabase({ empty = false }: { empty?: boolean } = {}): Promise<TestDatabase> {
  const server = inject("postgres");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await asAdmin(server, `create database ${name} template ${empty ? "template0" : "slipway"} strategy file_copy`);
  const connection = { ...server, database: name };
  const handle = openDatabase(connection, createLog("silent"), { max: poolSizes.smallest, limits: ofTests });
  const close = async () => {
    await handle.close();
    await asAdmin(server, `drop database ${name} with (force)`);
  };
  return { ...handle, connection, url: addressOf(connection), close, [Symbol.asyncDispose]: close };
}

/** The connection of this process to the run's server. Opening one for each statement cost a quarter of what a new database does. */
let admin: Promise<Client> | undefined;

async function asAdmin(server: ClientConfig, statement: string): Promise<void> {
  await (await (admin ??= connectAsAdmin(server))).query(statement);
}

/** Opened again by the next statement if it is lost or cannot be opened. */
async function connectAsAdmin(server: ClientConfig): Promise<Client> {
  const client = new Client({ ...server, database: "postgres" });
  const forget = () => (admin = undefined);
  // Also when the run ends, and with it the server.
  client.on("error", forget);
  return client.connect().then(
    () => client,
    (error: unknown) => {
      forget();
      throw error;
    },
  );
}

/** A socket's folder cannot be the host of a URL, so it goes into the query, as in libpq. */
function addressOf({ host, port, user, password, database }: PoolConfig): string {
  return `postgresql://${user}:${encodeURIComponent(String(password))}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? "")}`;
}
