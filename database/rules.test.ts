import { getTableColumns, getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import * as tables from "./tables.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  for (const statement of rows) await database.pool.query(statement);
});
afterAll(() => database.close());

const id = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;
const at = "'2027-01-10T09:00:00Z'";

/** Two accounts, each with a workspace, an invoice and its payment. */
const rows = [1, 2].flatMap((n) => [
  `insert into accounts (id, name, created_at) values ('${id(n)}', 'b${n}', ${at})`,
  `insert into users (id, account_id, email, full_name, created_at) values ('${id(n)}', '${id(n)}', '${n}@example.com', 'Ada', ${at})`,
  `insert into workspaces (id, account_id, engine, desired_state, desired_version, timezone, memory_mb, secrets, created_at, updated_at)
    values ('${id(n)}', '${id(n)}', 'n8n', 'running', '1', 'Etc/UTC', 1024, '-', ${at}, ${at})`,
  `insert into backups (id, account_id, workspace_id, kind, engine, engine_version, created_at) values ('${id(n)}', '${id(n)}', '${id(n)}', 'manual', 'n8n', '1', ${at})`,
  `insert into invoices (id, account_id, provider, provider_invoice_id, number, issued_at, description, currency, total, tax, status, document)
    values ('${id(n)}', '${id(n)}', 'sandbox', 'i${n}', '2027-${n}', ${at}, 'Pro', 'EUR', 6000, 0, 'paid', '{"number":"2027-${n}"}')`,
  `insert into payments (id, account_id, invoice_id, provider, provider_payment_id, at, currency, amount, status, last_four)
    values ('${id(n)}', '${id(n)}', '${id(n)}', 'sandbox', 'p${n}', ${at}, 'EUR', 6000, 'succeeded', '4242')`,
]);
const one = `where id = '${id(1)}'`;

/** The SQLSTATE with which the statement is refused; null if it is not. Whatever it did is undone. */
async function codeOf(...statements: string[]): Promise<string | null> {
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    for (const statement of statements) await client.query(statement);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

const [checkFailed, unique, reference, refused] = ["23514", "23505", "23503", "23001"];

test.each([
  ["a state that is not in the list", `update workspaces set desired_state = 'resting' ${one}`, checkFailed],
  ["a state with a capital letter", `update backups set state = 'Running' ${one}`, checkFailed],
  ["an engine that we do not have", `update workspaces set engine = 'zapier' ${one}`, checkFailed],
  [
    "an unknown kind of timer",
    `insert into timers (account_id, kind, due_at, run_at) values ('${id(1)}', 'someday', ${at}, ${at})`,
    checkFailed,
  ],
  ["a person's address with capital letters", `update users set email = 'Ada@Example.com' ${one}`, checkFailed],
  [
    "a second person with the same address in other letters",
    `insert into users (id, account_id, email, full_name, created_at) values ('${id(3)}', '${id(1)}', '1@Example.com', 'Eve', ${at})`,
    checkFailed,
  ],
  [
    "a second person with the same address",
    `insert into users (id, account_id, email, full_name, created_at) values ('${id(3)}', '${id(1)}', '2@example.com', 'Eve', ${at})`,
    unique,
  ],
  [
    "an invitation to an address with capital letters",
    `insert into invitations (id, account_id, email, asked_at) values ('${id(1)}', '${id(1)}', 'A@b.de', ${at})`,
    checkFailed,
  ],
  [
    "a negative count of executions",
    `insert into usage_days (account_id, date, executions) values ('${id(1)}', '2027-01-10', -1)`,
    checkFailed,
  ],
  ["a day that is none", `insert into usage_days (account_id, date) values ('${id(1)}', '2027-1-10')`, checkFailed],
  ["a day in another order", `insert into usage_days (account_id, date) values ('${id(1)}', '10-01-2027')`, checkFailed],
  ["a workspace that runs while its account is suspended", `update workspaces set resumes_as = 'running' ${one}`, checkFailed],
  ["a payment of another account's invoice", `update payments set invoice_id = '${id(2)}' ${one}`, refused],
  [
    "a new payment of another account's invoice",
    `insert into payments (id, account_id, invoice_id, provider, provider_payment_id, at, currency, amount, status)
      values ('${id(3)}', '${id(1)}', '${id(2)}', 'sandbox', 'p3', ${at}, 'EUR', 1, 'succeeded')`,
    reference,
  ],
  [
    "a correction of another account's invoice",
    `insert into invoices (id, account_id, provider, provider_invoice_id, issued_at, description, currency, total, tax, status, corrects)
      values ('${id(3)}', '${id(1)}', 'sandbox', 'i3', ${at}, '', 'EUR', -1, 0, 'paid', '${id(2)}')`,
    reference,
  ],
  ["a changed total", `update invoices set total = 1 ${one}`, refused],
  ["a changed currency", `update invoices set currency = 'USD' ${one}`, refused],
  ["a changed document", `update invoices set document = '{}' ${one}`, refused],
  ["a document that is taken away", `update invoices set document = null ${one}`, refused],
  ["a changed number", `update invoices set number = '2027-9' ${one}`, refused],
  ["an invoice of another account", `update invoices set account_id = '${id(2)}' ${one}`, refused],
  ["an earlier day of an invoice", `update invoices set issued_at = '2026-01-01' ${one}`, refused],
  ["a paid invoice that is open again", `update invoices set status = 'open' ${one}`, refused],
  ["a deleted invoice", `delete from invoices ${one}`, refused],
  ["a deleted payment", `delete from payments ${one}`, refused],
  ["emptied payments", "truncate payments", refused],
  ["emptied invoices", "truncate invoices cascade", refused],
  ["a changed amount", `update payments set amount = 1 ${one}`, refused],
  ["a payment that was received and fails", `update payments set status = 'failed' ${one}`, refused],
])("%s is refused", async (_what, statement, code) => {
  expect(await codeOf(statement)).toBe(code);
  // Whatever the session calls itself: only the triggers of money are silent for no session.
  if (code === refused) expect(await codeOf("set local session_replication_role = replica", statement)).toBe(refused);
});

test("an invoice's state and mail may change, and it gets its document and number once", async () => {
  const allowed = "status = 'refunded', receipt_queued_at = now(), number_kept_at = now(), seen_at = now()";
  expect(await codeOf(`update invoices set ${allowed} ${one}`)).toBeNull();
  expect(await codeOf(`update payments set status = 'disputed', reason = 'fraud', brand = null, last_four = null ${one}`)).toBeNull();
  const waiting = `insert into invoices (id, account_id, provider, provider_invoice_id, issued_at, description, currency, total, tax, status)
    values ('${id(3)}', '${id(1)}', 'sandbox', 'i3', ${at}, '', 'EUR', 1, 0, 'open')`;
  const write = `update invoices set document = '{"number":"n3"}', number = 'n3' where id = '${id(3)}'`;
  expect(await codeOf(waiting, write)).toBeNull();
  expect(await codeOf(waiting, write, `update invoices set number = 'n4' where id = '${id(3)}'`)).toBe(refused);
  // Of a merchant of record, it never gets one.
  expect(await codeOf(waiting, `update invoices set number = 'n3' where id = '${id(3)}'`)).toBe(refused);
  expect(await codeOf(waiting, `update invoices set total = 2, document = '{}' where id = '${id(3)}'`)).toBe(refused);
});

test("only a transaction that says that it erases may change or delete them, and the next one may not", async () => {
  const erasing = "set local slipway.changing_money = 'on'";
  expect(
    await codeOf(erasing, `update invoices set document = '{}' ${one}`, `delete from payments ${one}`, "truncate payments"),
  ).toBeNull();
  await database.pool.query(`begin; ${erasing}; commit`);
  expect(await codeOf(`delete from payments ${one}`)).toBe(refused);
  expect(await codeOf("set local slipway.changing_money = 'off'", `delete from payments ${one}`)).toBe(refused);
});

const all = Object.values(tables as Record<string, unknown>).filter((each) => is(each, PgTable));

test("each column with a list of values has a constraint with exactly these", async () => {
  const { rows: found } = await database.pool.query<{ table: string; rule: string }>(
    `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as rule from pg_constraint where contype = 'c' and convalidated`,
  );
  const missing = all.flatMap((table) =>
    Object.values(getTableColumns(table)).flatMap(({ name, enumValues }) => {
      if (!enumValues || enumValues.length === 0) return [];
      const rule = found.find((each) => each.table === getTableName(table) && new RegExp(`\\(\\(?\\(?"?${name}"? = ANY`).test(each.rule));
      const values = [...(rule?.rule.matchAll(/'([^']*)'::text/g) ?? [])].map(([, value]) => value);
      return values.toSorted().join() === enumValues.toSorted().join() ? [] : [`${getTableName(table)}.${name}: ${rule?.rule}`];
    }),
  );
  expect(missing).toEqual([]);
});

test("each foreign key has an index that begins with its columns, so that a deletion reads no whole table", async () => {
  const { rows: found } = await database.pool.query<{ name: string }>(`
    select conrelid::regclass || ' ' || conname as name from pg_constraint c
    where contype = 'f' and confrelid::regclass::text not in ('plans', 'plan_specs', 'sandbox_customers')
      and not exists (select from pg_index i where i.indrelid = c.conrelid and i.indpred is null and c.conkey[1] = i.indkey[0])
    order by 1`);
  expect(found).toEqual([]);
});

test("every constraint is validated: it holds for the rows that were there before it, too", async () => {
  expect((await database.pool.query("select conname from pg_constraint where not convalidated")).rows).toEqual([]);
});
