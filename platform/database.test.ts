import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { openDatabase, type DatabaseHandle } from "./database.ts";
import { createLog } from "./log.ts";

let database: TestDatabase;
let handle: DatabaseHandle;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  handle = openDatabase(database.connection, createLog("silent"), 2);
});
afterAll(async () => {
  await handle?.close();
  await database?.close();
});

const end = (pid: unknown) => database.pool.query("select pg_terminate_backend($1)", [pid]);
const self = sql`select pg_backend_pid() as pid`;

test("a connection that ends between two statements fails its transaction and nothing else", async () => {
  const broken = handle.db.transaction(async (tx) => {
    const { rows } = await tx.execute(self);
    const gone = new Promise((resolve) => setTimeout(resolve, 100));
    await end(rows[0]!["pid"]);
    // Nothing is asked of it while the news of its end comes in.
    await gone;
    await tx.execute(self);
  });
  await expect(broken).rejects.toThrow();
  expect((await handle.db.execute(self)).rows).toHaveLength(1);
});

test("a connection that ends while nobody uses it is replaced", async () => {
  const { rows } = await handle.db.execute(self);
  await end(rows[0]!["pid"]);
  await expect.poll(async () => (await handle.db.execute(self).catch(() => undefined))?.rows[0]!["pid"]).not.toBe(rows[0]!["pid"]);
});
