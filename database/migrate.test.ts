import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import { expect, test } from "vitest";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { isMigrated, migrate } from "./migrate.ts";
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

test("a database that a newer release migrated is refused, and left unchanged", async () => {
  await using database = await createTestDatabase();
  const newest = Math.max(...journal.entries.map(({ when }) => when));
  await database.db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a newer release', ${newest + 1})`);
  await expect(migrate(database, log)).rejects.toThrow("a newer release of Slipway");
  // A running process keeps serving while a newer one replaces it.
  expect(await isMigrated(database.db)).toBe(true);
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
