import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { escapeIdentifier } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "#platform/log.ts";
import { openDatabase } from "#platform/database.ts";
import { countRows, loadDump as loadRelease } from "#testing/database/release-dump.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { isMigrated, migrate } from "../migrate.ts";
import { loadDump } from "./load-dump.ts";
import { writeDump } from "./write-dump.ts";

async function open(empty: boolean): Promise<TestDatabase> {
  const database = await createTestDatabase({ empty });
  onTestFinished(() => database.close());
  return database;
}

/** Two customers with everything that a service keeps, by the first release's tables. */
async function openFilled(): Promise<TestDatabase> {
  const database = await open(true);
  await loadRelease(database.pool, readFileSync(new URL("../releases/0.1.0.sql", import.meta.url), "utf8"));
  return database;
}

const hostile = ["tab\t, line\n, return\r, \\. and \\N", "\\.", "\\N", "\u2028 \u{1F6A2} \u0645", '"quoted", {braces}', ""];

/** Each row as text, and the sequences: two databases with the same are the same. */
async function contentOf({ pool }: Pick<TestDatabase, "pool">): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const name of Object.keys(await countRows(pool))) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${escapeIdentifier(name)} t order by 1`);
    content[name] = rows.map(({ row }) => row);
  }
  const { rows } = await pool.query<{ row: string }>(
    "select sequencename || ' ' || coalesce(last_value::text, '-') as row from pg_sequences where schemaname = 'public' order by 1",
  );
  return { ...content, sequences: rows.map(({ row }) => row) };
}

/** Tables, columns, keys, indexes and triggers. */
async function shapeOf({ pool }: Pick<TestDatabase, "pool">): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `select table_name || '.' || column_name || ' ' || data_type as line from information_schema.columns where table_schema = 'public'
     union all select pg_get_indexdef(indexrelid) from pg_index join pg_class on pg_class.oid = indexrelid
       where relnamespace = 'public'::regnamespace
     union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated::text from pg_constraint
       where connamespace = 'public'::regnamespace
     union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
     order by 1`,
  );
  return rows.map(({ line }) => line);
}

test("a dump of a running service gives the same database back, whatever its texts are, and is of one moment", async () => {
  const database = await openFilled();
  await migrate(database, createLog("silent"));
  for (const [at, text] of hostile.entries())
    await database.pool.query("insert into service_state (key, value) values ($1, $2)", [`hostile ${at}`, JSON.stringify({ text })]);
  await database.pool.query("insert into service_state (key, value) values ('a null', 'null')");
  const before = await contentOf(database);

  const written = writeDump(database.pool, "next");
  const chunks: Buffer[] = [];
  for await (const chunk of written) {
    // After the snapshot.
    if (chunks.length === 0) await database.pool.query("insert into service_state (key, value) values ('later', '1')");
    chunks.push(chunk as Buffer);
  }
  const empty = await open(true);
  const { rows, release } = await loadDump(empty.pool, Readable.from(chunks));
  expect(release).toBe("next");
  expect(rows).toEqual(await countRows(empty.pool));
  expect(await contentOf(empty)).toEqual(before);
  expect(await shapeOf(empty)).toEqual(await shapeOf(database));
  expect(await isMigrated(empty.db)).toBe(true);
});

test("a dump of an earlier release is loaded as it was, and then migrated", async () => {
  const database = await openFilled();
  const empty = await open(true);
  await loadDump(empty.pool, writeDump(database.pool, "0.1.0"));
  expect(await contentOf(empty)).toEqual(await contentOf(database));
  expect(await isMigrated(empty.db)).toBe(false);
  await migrate(empty, createLog("silent"));
  expect(await isMigrated(empty.db)).toBe(true);
});

test("an ordinary user of PostgreSQL can load it into a database that it owns", async () => {
  const database = await openFilled();
  const empty = await open(true);
  const role = `${empty.connection.database}_owner`;
  await empty.pool.query(`create role ${role} login password 'secret'`);
  await empty.pool.query(`alter database ${empty.connection.database} owner to ${role}`);
  const owned = openDatabase({ ...empty.connection, user: role, password: "secret" }, createLog("silent"), { max: 1 });
  onTestFinished(async () => {
    await owned.close();
    await empty.pool.query(`reassign owned by ${role} to current_user; drop role ${role}`);
  });
  await loadDump(owned.pool, writeDump(database.pool, "0.1.0"));
  expect(await contentOf(empty)).toEqual(await contentOf(database));
});

test("a dump that is cut off or damaged, or that a newer release wrote, is refused and leaves nothing", async () => {
  const database = await openFilled();
  const whole = await buffer(writeDump(database.pool, "0.1.0"));
  const text = whole.toString("utf8");
  const empty = await open(true);
  const load = (content: Buffer | string) => loadDump(empty.pool, Readable.from([Buffer.from(content)]));
  for (const part of [0, 0.3, 0.8]) await expect(load(whole.subarray(0, Math.floor(part * whole.length)))).rejects.toThrow("cut off");
  await expect(load(whole.subarray(0, -2))).rejects.toThrow("cut off");
  const heading = JSON.parse(text.slice(0, text.indexOf("\n"))) as { migration: number };
  const withHeading = (change: object) => JSON.stringify({ ...heading, ...change }) + text.slice(text.indexOf("\n"));
  await expect(load(withHeading({ migration: heading.migration + 1 }))).rejects.toThrow("was written by a newer release (0.1.0)");
  await expect(load(withHeading({ format: 2 }))).rejects.toThrow("unknown format 2");
  await expect(load("not a dump\n")).rejects.toThrow("The dump is damaged");
  const rows = text.split("\n");
  const account = rows.findIndex((row) => row.startsWith('{"table":"accounts"')) + 1;
  await expect(load(rows.toSpliced(account, 1).join("\n"))).rejects.toThrow(/its rows are not as many|violates foreign key/);
  expect(await countRows(empty.pool)).toEqual({});
});

test("a database that has tables is left as it is", async () => {
  const [database, other] = [await openFilled(), await open(false)];
  const before = await contentOf(other);
  await expect(loadDump(other.pool, writeDump(database.pool, "0.1.0"))).rejects.toThrow("The database is not empty");
  expect(await contentOf(other)).toEqual(before);
});

test("a reader that goes away in the middle leaves no session behind", async () => {
  const database = await openFilled();
  const written = writeDump(database.pool, "0.1.0");
  for await (const chunk of written) if (String(chunk).startsWith("{")) break;
  const sessions =
    "select count(*)::int as open from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'";
  await expect.poll(async () => (await database.pool.query<{ open: number }>(sessions)).rows[0]!.open).toBe(0);
});
