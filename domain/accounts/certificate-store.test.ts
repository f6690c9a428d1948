import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { accounts } from "#database/tables.ts";
import { newId } from "#platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { allowCertificate } from "./certificate-store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
const names = ["ada", "bob", "cleo", "dan", "eve"];
beforeEach(async () => {
  await database.db.delete(accounts);
  await database.db.insert(accounts).values(names.map((name) => ({ id: newId(), name, createdAt: new Date() })));
});

const allow = (name: string, most = 3) => allowCertificate(database.db, name, most);

test("as many hosts as the week's limit get a first certificate, and those keep theirs", async () => {
  const first = [];
  for (const name of names) first.push(await allow(name));
  expect(first).toEqual([true, true, true, false, false]);
  // Renewed, or ordered again: not new.
  expect(await allow("ada", 0)).toBe(true);
  expect(await allow("eve")).toBe(false);
  await database.pool.query("update accounts set certificate_at = now() - interval '7 days 1 second' where name = 'bob'");
  expect(await allow("eve")).toBe(true);
  expect(await allow("dan")).toBe(false);
  expect(await allow("bob")).toBe(true);
});

test("of hosts that are visited at the same moment, no more than the week's limit", async () => {
  const allowed = await Promise.all([...names, ...names].map((name) => allow(name, 2)));
  expect(allowed.filter(Boolean)).toHaveLength(4);
  const { rows } = await database.pool.query("select count(*)::int as number from accounts where certificate_at is not null");
  expect(rows).toEqual([{ number: 2 }]);
});

test("a name that no account has is not allowed", async () => {
  expect(await allow("nobody")).toBe(false);
});
