/**
 * Two releases run on one schema while an upgrade or a rollback lasts: a migration first only adds (expand), and what an earlier program
 * reads or writes is removed once that program may not run any more (contract). The database says which programs may start on it. Beside
 * the migrator's table and not among the service's, because a program must be able to read it on every schema. CONTRIBUTING.md has the rules.
 */
import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import type { Database } from "#platform/database.ts";

/**
 * The newest migration that a program must know at least to run on this release's schema. Raised by the change that contracts: to the first
 * migration whose program no longer uses what is removed.
 */
export const oldestProgram = "0050_close_account";

interface Migration {
  tag: string;
  /** Milliseconds since 1970, by which the migrator orders migrations. */
  when: number;
}

/** All migrations of this release, the oldest first. */
export function listMigrations(): Migration[] {
  const journal = JSON.parse(readFileSync(new URL("migrations/meta/_journal.json", import.meta.url), "utf8")) as { entries: Migration[] };
  return journal.entries.map(({ tag, when }) => ({ tag, when }));
}

type Connection = Pick<Database, "execute">;

/**
 * Records which programs may start on the schema that the next statements make. Call before them: a process that is killed in between
 * leaves a database that refuses too much, never too little. An earlier, stricter record stays.
 */
export async function noteOldestProgram(db: Connection): Promise<void> {
  const { tag, when } = listMigrations().find((migration) => migration.tag === oldestProgram)!;
  await db.execute(sql`create schema if not exists drizzle`);
  await db.execute(
    sql`create table if not exists drizzle.oldest_program (only_row boolean primary key default true check (only_row), tag text not null, knows bigint not null)`,
  );
  await db.execute(sql`insert into drizzle.oldest_program (tag, knows) values (${tag}, ${when})
    on conflict (only_row) do update set tag = excluded.tag, knows = excluded.knows where oldest_program.knows < excluded.knows`);
}

/**
 * Whether a program whose newest migration is `newestKnown` (milliseconds since 1970) may run on this database, which a newer release has
 * migrated. Never if that release left no record.
 */
export async function mayRun(db: Connection, newestKnown: number): Promise<boolean> {
  const { rows } = await db.execute<{ exists: boolean }>(sql`select to_regclass('drizzle.oldest_program') is not null as exists`);
  if (!rows[0]?.exists) return false;
  const oldest = await db.execute<{ knows: string }>(sql`select knows from drizzle.oldest_program`);
  return oldest.rows[0] !== undefined && Number(oldest.rows[0].knows) <= newestKnown;
}
