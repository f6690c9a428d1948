/**
 * A database of one release as a file: its schema, frozen as that release's migrations made it, and its rows. The embedded PostgreSQL does
 * not include pg_dump, and another version's would refuse it.
 */
import { readMigrationFiles } from "drizzle-orm/migrator";
import { fileURLToPath } from "node:url";
import { escapeLiteral, type Pool } from "pg";

const migrationsFolder = fileURLToPath(new URL("../../database/migrations", import.meta.url));
const breakpoint = /--> statement-breakpoint\n?/g;

/** Tables with rows, in the order of their names, as `schema.table`. */
export async function countRows(pool: Pool): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows)
    counts[name] = (await pool.query<{ times: number }>(`select count(*)::int as times from "${name}"`)).rows[0]!.times;
  return counts;
}

/** The whole database as SQL, which `loadDump` can load. `heading`: what a reader should know, without line breaks. */
export async function dumpDatabase(pool: Pool, heading: string): Promise<string> {
  const migrations = readMigrationFiles({ migrationsFolder });
  const applied = migrations.map(({ hash, folderMillis }) => `(${escapeLiteral(hash)}, ${folderMillis})`);
  const parts = [
    `-- ${heading}`,
    ...migrations.flatMap(({ sql }) => sql.map((statement) => statement.replaceAll(breakpoint, "").trim().replace(/;?$/, ";"))),
    "create schema drizzle;",
    "create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);",
    `insert into drizzle.__drizzle_migrations (hash, created_at) values\n${applied.join(",\n")};`,
  ];
  for (const [name, times] of Object.entries(await countRows(pool))) {
    if (times === 0) continue;
    const { rows } = await pool.query<{ rows: string }>(
      `select string_agg(to_jsonb(t)::text, E',\\n' order by to_jsonb(t)::text) as rows from "${name}" t`,
    );
    parts.push(`insert into "${name}" select * from jsonb_populate_recordset(null::"${name}", ${escapeLiteral(`[${rows[0]!.rows}]`)});`);
  }
  const { rows: sequences } = await pool.query<{ name: string; at: string | null }>(
    "select sequencename as name, last_value::text as at from pg_sequences where schemaname = 'public'",
  );
  for (const { name, at } of sequences) if (at !== null) parts.push(`select setval('"${name}"', ${at});`);
  return `${parts.join("\n")}\n`;
}

/** Loads a dump into an empty database, as a superuser: triggers and references are off, because each table is loaded as it was. */
export async function loadDump(pool: Pool, dump: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`set session_replication_role = replica;\n${dump}`);
  } finally {
    client.release(true);
  }
}
