/** Writes the service's database to a stream while the service runs. */
import { drizzle } from "drizzle-orm/node-postgres";
import { Readable } from "node:stream";
import { escapeIdentifier, type Pool, type PoolClient } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { allowSilence } from "#platform/database.ts";
import { limitSession, sessionLimits } from "#platform/postgres/session-limits.ts";
import { newestApplied } from "../migrate.ts";
import { endOfRows, type DumpHeading, type DumpTable, type DumpTotals } from "./dump-format.ts";

/** All rows of one moment: what changes meanwhile is not in it, and nothing waits for it. Fails if the database does. */
export function writeDump(pool: Pool, release: string): Readable {
  return Readable.from(dump(pool, release), { objectMode: false });
}

const line = (content: DumpHeading | DumpTable | DumpTotals | string): Buffer =>
  Buffer.from(`${typeof content === "string" ? content : JSON.stringify(content)}\n`);

async function* dump(pool: Pool, release: string): AsyncGenerator<Buffer> {
  const client = await pool.connect();
  try {
    // One table may take long, and the storage may pause, whatever the pool is for.
    allowSilence(client);
    await limitSession(client, sessionLimits.dump);
    await client.query("begin isolation level repeatable read, read only");
    const migration = await newestApplied(drizzle({ client }));
    const { rows } = await client.query<{ at: Date }>("select now() as at");
    yield line({ format: 1, migration, release, at: rows[0]!.at.toISOString() });
    const totals: DumpTotals = { rows: {}, sequences: await readSequences(client) };
    for (const { table, columns } of await readTables(client)) {
      yield line({ table, columns });
      const names = columns.map(escapeIdentifier).join(", ");
      const copied = client.query(copyTo(`copy ${escapeIdentifier(table)} (${names}) to stdout`));
      for await (const chunk of copied) yield chunk as Buffer;
      totals.rows[table] = copied.rowCount;
      yield line(endOfRows);
    }
    yield line(totals);
  } finally {
    // Closed, not returned: that ends the transaction and the settings, also when the reader went away in the middle of a table.
    client.release(true);
  }
}

/** In the order of their names, without columns that PostgreSQL computes. */
export async function readTables(client: PoolClient): Promise<DumpTable[]> {
  const { rows } = await client.query<DumpTable>(
    `select table_name as "table", json_agg(column_name order by ordinal_position) as columns
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
     group by table_name order by table_name`,
  );
  return rows;
}

async function readSequences(client: PoolClient): Promise<DumpTotals["sequences"]> {
  const { rows } = await client.query<{ name: string; at: string | null }>(
    "select sequencename as name, last_value::text as at from pg_sequences where schemaname = 'public'",
  );
  return Object.fromEntries(rows.map(({ name, at }) => [name, at]));
}
