/** Every table has a retention, and the hourly job keeps it. */
import { existsSync } from "node:fs";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { getTableName, is } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as tables from "#database/tables.ts";
import { after, dayMs, minuteMs } from "#platform/clock.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";
import { deleteOldRows } from "./delete-old-rows.ts";
import { retention, type AgeRule, type MostRule } from "./how-long.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const query = async (text: string, values: unknown[] = []) =>
  (await api.database.pool.query(text, values)).rows as Record<string, unknown>[];

test("every table of the database is in the list", async () => {
  const listed = Object.keys(retention).map((name) => getTableName(byName.get(name)!));
  const there = await query("select tablename from pg_tables where schemaname = 'public'");
  expect(listed.toSorted()).toEqual(there.map(({ tablename }) => tablename).toSorted());
  expect(Object.keys(retention).toSorted()).toEqual([...byName.keys()].toSorted());
});

const byName = new Map(Object.entries(tables).flatMap(([name, table]) => (is(table, PgTable) ? [[name, table] as const] : [])));

const aged = Object.entries(retention).flatMap(([name, rule]) =>
  "deleted" in rule ? rule.deleted.map((each): [string, string, AgeRule] => [name, each.since.name, each]) : [],
);

test.each(aged)("%s is deleted by %s of its own table, which has an index", (name, _column, { since, keptMs, where }) => {
  const table = byName.get(name)!;
  expect(since.table).toBe(table);
  expect(keptMs).toBeGreaterThanOrEqual(0);
  const firsts = getTableConfig(table).indexes.map(({ config }) =>
    config.columns.map((column) => ("name" in column ? column.name : undefined)).slice(0, where ? 2 : 1),
  );
  expect(firsts.flat()).toContain(since.name);
});

test.each(Object.entries(retention))("%s: who deletes its rows exists, or why they are kept is said", (_name, rule) => {
  if ("deletedBy" in rule) expect(existsSync(new URL(`../../../${rule.deletedBy}`, import.meta.url))).toBe(true);
  else if ("keptForGood" in rule) expect(rule.keptForGood && rule.bound).toBeTruthy();
  else expect(rule.deleted.length).toBeGreaterThan(0);
});

/** A workspace whose journal has this many lines, a minute apart, the newest now. */
async function journalOf(lines: number): Promise<{ id: string; count: () => Promise<unknown> }> {
  const { token, form } = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
  const [row] = await query("select w.id from workspaces w join accounts a on a.id = w.account_id where a.name = $1", [form.accountName]);
  const id = String(row!["id"]);
  await query("delete from workspace_journal where workspace_id = $1", [id]);
  await query(
    "insert into workspace_journal (workspace_id, at, event, message) select $1, $2::timestamptz - make_interval(mins => $3 - n), 'failed', 'line ' || n from generate_series(1, $3) n",
    [id, api.clock.now(), lines],
  );
  const count = async () =>
    (
      await query(
        "select count(*)::int as n, min(message) filter (where message = 'line 1') as first, max(id) = max(id) as ok from workspace_journal where workspace_id = $1",
        [id],
      )
    )[0]!["n"];
  return { id, count };
}

test("of a journal that never stops growing, the newest two thousand lines are kept, and other journals are left alone", async () => {
  const most = (retention.workspaceJournal as { most: MostRule }).most.most;
  const [loud, quiet] = [await journalOf(most + 3_500), await journalOf(50)];
  await deleteOldRows(api.database.db, api.clock.now());
  expect(await loud.count()).toBe(most);
  expect(await quiet.count()).toBe(50);
  const left = await query("select message from workspace_journal where workspace_id = $1 order by id", [loud.id]);
  expect([left[0]!["message"], left.at(-1)!["message"]]).toEqual(["line 3501", `line ${most + 3_500}`]);
});

test("a day's rows are deleted in batches, and only those that are old enough", async () => {
  const now = api.clock.now();
  await query("truncate attempts");
  await query("insert into attempts (key, count, last_at) select 'old ' || n, 1, $1 from generate_series(1, 2500) n", [
    after(now, -dayMs - 1),
  ]);
  await query("insert into attempts (key, count, last_at) values ('new', 1, $1)", [after(now, -dayMs + minuteMs)]);
  await deleteOldRows(api.database.db, now);
  expect(await query("select key from attempts")).toEqual([{ key: "new" }]);
});

test("a table that fails does not keep the others from being deleted, and is named in the log", async () => {
  const now = api.clock.now();
  await query("insert into attempts (key, count, last_at) values ('old', 1, $1)", [after(now, -2 * dayMs)]);
  await query("alter table sessions rename column last_seen_at to seen");
  const said: unknown[] = [];
  await deleteOldRows(api.database.db, now, { warn: (fields) => said.push(fields) });
  await query("alter table sessions rename column seen to last_seen_at");
  expect(said).toEqual([expect.objectContaining({ table: "sessions" })]);
  expect(await query("select key from attempts where key = 'old'")).toEqual([]);
});
