/** Slipway promises PostgreSQL 15 or later, and includes a newer one: what depends on the server's version is tested on 15, too. */
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase, type DatabaseHandle } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { takeLease } from "#platform/postgres/lease.ts";
import { sessionLimits, settingsOf } from "#platform/postgres/session-limits.ts";
import { findPostgres15, startPostgres15, type Postgres15 } from "#testing/database/start-postgres-15.ts";
import { applyFile, isMigrated, migrate } from "./migrate.ts";

const log = createLog("silent");
const found = await findPostgres15();
if ("missing" in found) console.warn(`The tests on PostgreSQL 15 are left out: ${found.missing}.`);
let server: Postgres15 | undefined;
let database: DatabaseHandle;
beforeAll(async () => {
  if ("missing" in found) return;
  server = await startPostgres15(found.postgres);
  database = openDatabase(server.connection, log);
}, 240_000);
afterAll(async () => {
  await database?.close();
  await server?.[Symbol.asyncDispose]();
});

test.skipIf("missing" in found)("every migration applies on PostgreSQL 15, once", async () => {
  expect((await database.pool.query("show server_version")).rows[0].server_version).toMatch(/^15\./);
  expect(await migrate(database, log)).toBeGreaterThan(50);
  expect(await isMigrated(database.db)).toBe(true);
  expect(await migrate(database, log)).toBe(0);
});

test.skipIf("missing" in found)("every session has its limits on PostgreSQL 15", async () => {
  const names = Object.keys(settingsOf(sessionLimits.serving)).filter((name) => !name.startsWith("tcp"));
  const { rows } = await database.pool.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name = any($1)",
    [names],
  );
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toMatchObject(
    Object.fromEntries(names.map((name) => [name, settingsOf(sessionLimits.serving)[name]])),
  );
});

test.skipIf("missing" in found)(
  "a wait for a lock ends, leases have one holder, and a concurrent index is made on PostgreSQL 15",
  async () => {
    const limited = openDatabase(server!.connection, log, { max: 1, limits: { lockMs: 200 } });
    const holder = await database.pool.connect();
    try {
      await holder.query("begin; lock table accounts");
      await expect(limited.db.execute(sql`select from accounts`)).rejects.toMatchObject({ cause: { code: "55P03" } });
      await holder.query("rollback");
      const taken = await Promise.all([1, 2, 3].map(() => takeLease(database.db, "one", newId(), 60)));
      expect(taken.filter(Boolean)).toHaveLength(1);
      const file = { sql: ['CREATE INDEX CONCURRENTLY "later" ON "accounts" ("name")'], hash: "later", folderMillis: 1 };
      await applyFile(holder, file, log);
      const { rows } = await holder.query("select indisvalid as valid from pg_index where indexrelid = 'later'::regclass");
      expect(rows).toEqual([{ valid: true }]);
    } finally {
      holder.release(true);
      await limited.close();
    }
  },
);
