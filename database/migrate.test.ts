import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import { expect, test } from "vitest";
import { createLog } from "#platform/log.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { StartTrouble } from "#platform/start-trouble.ts";
import { waitFor } from "#testing/wait-for.ts";
import { applyFile, isMigrated, migrate, waitUntilMigrated } from "./migrate.ts";
import { listMigrations, oldestProgram } from "./oldest-program.ts";
import * as tables from "./tables.ts";

const log = createLog("silent");
const readJson = (name: string) => JSON.parse(readFileSync(new URL(`migrations/meta/${name}`, import.meta.url), "utf8"));
const journal = readJson("_journal.json") as { entries: { idx: number; when: number }[] };

test("several processes that migrate simultaneously apply each migration once", async () => {
  await using database = await createTestDatabase({ empty: true });
  expect(await isMigrated(database.db)).toBe(false);
  await Promise.all([1, 2, 3, 4].map(() => migrate(database, log)));
  expect(await isMigrated(database.db)).toBe(true);
  const { rows } = await database.db.execute(sql`select count(*)::int as applied from drizzle.__drizzle_migrations`);
  expect(rows).toEqual([{ applied: journal.entries.length }]);
});

test("a failed migration releases the lock and does not affect the next attempt", async () => {
  await using database = await createTestDatabase({ empty: true });
  await database.db.execute(sql`create table accounts (in_the_way int)`);
  await expect(migrate(database, log)).rejects.toThrow("accounts");
  expect(await isMigrated(database.db)).toBe(false);
  await database.db.execute(sql`drop table accounts`);
  await migrate(database, log);
  expect(await isMigrated(database.db)).toBe(true);
});

const newest = Math.max(...journal.entries.map(({ when }) => when));

/** As a newer release leaves it. `knows`: the newest migration that it demands of a program; null: that release records nothing. */
async function migratedByNewer({ db }: Pick<TestDatabase, "db">, knows: number | null): Promise<void> {
  await db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a newer release', ${newest + 1})`);
  if (knows === null) await db.execute(sql`drop table drizzle.oldest_program`);
  else await db.execute(sql`update drizzle.oldest_program set tag = 'newer', knows = ${knows}`);
}

test.each([
  ["records nothing", null],
  ["demands a migration that this one does not know", newest + 1],
])("a database of a newer release that %s is refused, and left unchanged", async (_what, knows) => {
  await using database = await createTestDatabase();
  await migratedByNewer(database, knows);
  await expect(migrate(database, log)).rejects.toThrow("a newer release of Slipway");
  await expect(waitUntilMigrated(database.db, log)).rejects.toThrow("a newer release of Slipway");
  // A running process keeps serving while a newer one replaces it.
  expect(await isMigrated(database.db)).toBe(true);
});

test("a database of a newer release that allows this one is used as it is, by processes that migrate and by those that wait", async () => {
  await using database = await createTestDatabase();
  await migratedByNewer(database, newest);
  expect(await migrate(database, log)).toBe(0);
  await waitUntilMigrated(database.db, log);
  const { rows } = await database.db.execute(sql`select knows from drizzle.oldest_program`);
  expect(rows, "what the newer release demands").toEqual([{ knows: String(newest) }]);
});

test("what a program must know is recorded before the first statement of a migration, and is never lowered", async () => {
  await using database = await createTestDatabase({ empty: true });
  await database.db.execute(sql`create table accounts (in_the_way int)`);
  await expect(migrate(database, log)).rejects.toThrow("accounts");
  const { when } = listMigrations().find(({ tag }) => tag === oldestProgram)!;
  const read = async () =>
    (await database.db.execute<{ tag: string; knows: string }>(sql`select tag, knows from drizzle.oldest_program`)).rows;
  expect(await read()).toEqual([{ tag: oldestProgram, knows: String(when) }]);
  await database.db.execute(sql`update drizzle.oldest_program set tag = 'later', knows = ${when + 1}`);
  await database.db.execute(sql`drop table accounts`);
  await migrate(database, log);
  expect(await read()).toEqual([{ tag: "later", knows: String(when + 1) }]);
});

test("migrations are in order of time: the migrator skips one that is older than the newest applied", () => {
  const times = journal.entries.map(({ when }) => when);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test("the migrations produce exactly what tables.ts describes", async () => {
  const newest = String(journal.entries.at(-1)?.idx).padStart(4, "0");
  const difference = await generateMigration(readJson(`${newest}_snapshot.json`), generateDrizzleJson(tables));
  expect(difference, "run npm run migration -- <name>").toEqual([]);
});

/** A file of a later release, with the limits of `migrate` each a tenth. */
const patience = { lockMs: 200, pauseMs: 200, triesMs: 60_000 };
const fileOf = (...statements: string[]) => ({ sql: statements, hash: "later", folderMillis: 99_999_999_999_999 });

test("while a migration waits behind a long reader, other readers wait for moments, and it ends when that one does", async () => {
  await using database = await createTestDatabase();
  const [reader, migrating] = [await database.pool.connect(), await database.pool.connect()];
  await reader.query("begin; select from accounts");
  const applied = applyFile(migrating, fileOf("alter table accounts add column later text"), log, patience);
  let isApplied = false;
  void applied.then(() => (isApplied = true));
  let slowestMs = 0;
  const readUntil = async (endMs: number) => {
    while (performance.now() < endMs) {
      const from = performance.now();
      await database.pool.query("select from accounts");
      slowestMs = Math.max(slowestMs, performance.now() - from);
      await delay(10);
    }
  };
  await readUntil(performance.now() + 20 * patience.lockMs);
  expect(isApplied).toBe(false);
  // Of a wait that is never given up, they would have waited for all 20.
  expect(slowestMs).toBeLessThan(10 * patience.lockMs);
  await reader.query("commit");
  await applied;
  expect((await database.pool.query("select later from accounts")).rowCount).toBe(0);
  reader.release();
  migrating.release(true);
});

test("a migration that loses a deadlock is applied once the other transaction has ended", async () => {
  await using database = await createTestDatabase({ empty: true });
  await database.pool.query("create table one (); create table two ()");
  const [other, migrating] = [await database.pool.connect(), await database.pool.connect()];
  // The migration looks for the deadlock first, so it is the one that PostgreSQL ends.
  await migrating.query("set deadlock_timeout = '100ms'");
  await other.query("set deadlock_timeout = '1min'; begin; lock table two");
  let tries = 0;
  const watched = { ...log, warn: () => void (tries += 1) } as unknown as typeof log;
  const applied = applyFile(migrating, fileOf("alter table one add a int", "alter table two add b int"), watched, {
    ...patience,
    lockMs: 30_000,
  });
  const outcome = applied.then(
    () => "applied",
    (error: unknown) => error,
  );
  const hasOne = "select from pg_locks where relation = 'one'::regclass and mode = 'AccessExclusiveLock' and granted";
  await waitFor(async () => expect((await database.pool.query(hasOne)).rowCount).toBe(1), { timeout: 20_000, interval: 20 });
  await other.query("lock table one");
  await other.query("commit");
  const ended = await outcome;
  other.release();
  migrating.release(true);
  expect(ended).toBe("applied");
  expect(tries).toBeGreaterThan(0);
  expect((await database.pool.query("select a from one union all select b from two")).rowCount).toBe(0);
});

test("files before a failed one stay applied, and nothing of the failed one", async () => {
  await using database = await createTestDatabase();
  const client = await database.pool.connect();
  const applied = async () => (await database.pool.query("select hash from drizzle.__drizzle_migrations where hash = 'later'")).rowCount;
  await applyFile(client, fileOf("create table first ()"), log, patience);
  await expect(applyFile(client, fileOf("create table second ()", "create table first ()"), log, patience)).rejects.toThrow("first");
  expect(await applied()).toBe(1);
  expect((await database.pool.query("select to_regclass('second') as second")).rows).toEqual([{ second: null }]);
  client.release(true);
});

test.each([
  ["a check", "alter table things add constraint things_small check (size < 5) not valid", "things_small"],
  ["a reference", "alter table things add constraint things_of foreign key (size) references sizes (size) not valid", "things_of"],
])("rows that violate %s are a trouble that names the table and the rule", async (_what, add, rule) => {
  await using database = await createTestDatabase({ empty: true });
  await database.pool.query("create table sizes (size int primary key); create table things (size int); insert into things values (9)");
  const client = await database.pool.connect();
  const error = await applyFile(client, fileOf(add, `alter table things validate constraint ${rule}`), log, patience).catch(
    (thrown) => thrown,
  );
  client.release(true);
  expect(error).toBeInstanceOf(StartTrouble);
  expect(error.message).toContain(`rows of the table things violate the rule ${rule}`);
});

test("an index that was made halfway is made again, and one that is there is kept", async () => {
  await using database = await createTestDatabase({ empty: true });
  await database.pool.query("create table things (name text); insert into things values ('one'), ('one')");
  const client = await database.pool.connect();
  const file = fileOf('CREATE UNIQUE INDEX CONCURRENTLY "things_name" ON "things" ("name")');
  await expect(applyFile(client, file, log, patience)).rejects.toThrow("things_name");
  const state = async () =>
    (await database.pool.query("select indexrelid, indisvalid as valid from pg_index where indexrelid = 'things_name'::regclass")).rows[0];
  expect(await state()).toMatchObject({ valid: false });
  await database.pool.query("truncate things");
  await applyFile(client, file, log, patience);
  const made = await state();
  expect(made).toMatchObject({ valid: true });
  await applyFile(client, file, log, patience);
  expect(await state()).toEqual(made);
  client.release(true);
});
