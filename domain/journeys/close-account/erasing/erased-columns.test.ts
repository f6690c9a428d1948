/** A life with a recognizable text in every column that holds text, erased: what is left is what the list keeps, and nothing else. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { eq, getTableName, sql } from "drizzle-orm";
import { getTableConfig, type PgColumn } from "drizzle-orm/pg-core";
import { expect, onTestFinished, test } from "vitest";
import * as tables from "#database/tables.ts";
import { beginRemoval, finishRemoval } from "#domain/backups/remove-backup.ts";
import { claimExpiredBackups } from "#domain/backups/expired-backup-store.ts";
import { createFolderStorage } from "#domain/backups/storage/folder-storage.ts";
import { deleteExport, claimExpiredExports, storedExport } from "#domain/exports/export-store.ts";
import { minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { openTestBilling } from "#testing/payments/test-billing.ts";
import { closeAccount } from "../close-account.ts";
import { beginErasing, eraseDue, type ErasingParts } from "./erase-account.ts";
import { columnOf, decisions, isGone, isKept, keptAsPage, nameOf, tableOf, type Decision, type TableName } from "./erasure-list.ts";

test.each(decisions)("%s: each column is decided", (name, decision) => {
  if (isGone(decision)) return;
  const decided = isKept(decision) ? [...decision.stays, ...Object.keys(decision.blank)] : decision.columns;
  expect(decided.map((column) => columnOf(name, column)).toSorted()).toEqual(
    getTableConfig(tableOf(name))
      .columns.map((column) => column.name)
      .toSorted(),
  );
  expect(isKept(decision) ? decision.why : decision.ofNoAccount).toMatch(/\w/);
});

test("every table of the database is in the list", async () => {
  const world = await openTestBilling();
  const { rows } = await world.database.pool.query<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'");
  expect(decisions.map(([name]) => nameOf(name)).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

const marker = (table: string, column: string): string => `left-${table}.${column}-left`;
const markers = /left-([a-z_.0-9]+)-left/g;
/** What belongs to the row's meaning, and would break a rule of the tables as another text. */
const structural = new Set(["date", "day", "engine", "host", "kind_of_timer"]);
const isText = (column: PgColumn, foreign: ReadonlySet<string>): boolean =>
  (column.columnType === "PgText" && !column.enumValues && !foreign.has(column.name) && !structural.has(column.name)) ||
  column.columnType === "PgJsonb";

/** Values with which a row is one of a finished life: without them, it would still be waited for. */
const finished: Record<string, Record<string, unknown>> = {
  backups: { state: "successful", kept_until: new Date("2030-01-01"), kind: "manual" },
  exports: { state: "ready" },
  checkouts: { state: "expired" },
  held_refunds: { decision: "keep" },
  billing_findings: { closed_at: new Date() },
  restores: { finished_at: new Date(), state: "successful" },
  workspace_updates: { finished_at: new Date(), state: "successful" },
  fleet_updates: { finished_at: new Date(), state: "done" },
  invoices: { status: "paid" },
  payments: { status: "succeeded" },
  subscriptions: { status: "deleted", ended_at: new Date() },
  timers: { run_at: new Date("2030-01-01"), due_at: new Date("2030-01-01") },
};

test("of a life that is erased, only the columns of the list are left, in any table and in the storage", async () => {
  const world = await openTestBilling();
  const { db, pool } = world.database;
  const folder = join(tmpdir(), `slipway-erased-${newId()}`);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const storage = createFolderStorage(folder);
  const parts: ErasingParts = { ...world.billing, storage, supportEmail: "help@example.com" };
  const accountId = await world.addAccount();
  const other = await world.addAccount();
  const [workspace] = await db.select().from(tables.workspaces).where(eq(tables.workspaces.accountId, accountId));
  const workspaceId = workspace!.id;
  const [owner] = await db.select().from(tables.users).where(eq(tables.users.accountId, accountId));
  const email = "left-users.email-left@example.com";
  const ids: Record<string, string> = {
    accounts: accountId,
    users: owner!.id,
    workspaces: workspaceId,
    plans: "pro-1-monthly",
    plan_specs: "pro-1",
  };
  const seeded: string[] = [];

  /** A row of the account, or its existing one, with a marker in each text. */
  const seed = async (name: TableName) => {
    const table = tableOf(name);
    const tableName = getTableName(table);
    const { columns, foreignKeys } = getTableConfig(table);
    const referred = new Map(
      foreignKeys.map((key) => [key.reference().columns[0]!.name, getTableName(key.reference().foreignTable)] as const),
    );
    const foreign = new Set(referred.keys());
    const texts = columns.filter((column) => isText(column, foreign));
    const textOf = (column: PgColumn): unknown => {
      const text = marker(tableName, column.name);
      if (tableName === "users" && column.name === "email") return email;
      if (tableName === "mails" && column.name === "recipient") return email;
      // The account's name stays, and is the label of its host.
      if (tableName === "accounts" && column.name === "name") return undefined;
      if (["provider_events", "sandbox_customers"].includes(tableName) && column.name === "account_id") return accountId;
      if (tableName === "timers" && column.name === "kind") return "truth-check";
      return column.columnType === "PgJsonb" ? JSON.stringify(column.name === "document" ? { buyer: text } : [text]) : text;
    };
    const values: Record<string, unknown> = {};
    const isThere = ["accounts", "users", "workspaces", "subscriptions"].includes(tableName);
    for (const column of columns) {
      if (texts.includes(column)) values[column.name] = textOf(column);
      else if (isThere) continue;
      else if (foreign.has(column.name)) values[column.name] = ids[referred.get(column.name)!] ?? null;
      else if (column.name === "account_id") values[column.name] = accountId;
      else if (column.name === "workspace_id") values[column.name] = workspaceId;
      else if (column.notNull && !column.hasDefault)
        values[column.name] = column.enumValues
          ? column.enumValues[0]
          : column.columnType === "PgUUID"
            ? newId()
            : column.columnType.startsWith("PgTimestamp")
              ? world.clock.now()
              : column.columnType === "PgArray"
                ? [marker(tableName, column.name)]
                : column.columnType === "PgBoolean"
                  ? false
                  : column.columnType === "PgText"
                    ? "2027-01-01"
                    : 1;
    }
    Object.assign(values, finished[tableName]);
    if (tableName === "webhook_calls") values["latency"] = [1];
    if (tableName === "provider_events") values["owner_id"] = accountId;
    for (const column of Object.keys(values)) if (values[column] === undefined) delete values[column];
    const names = Object.keys(values);
    const places = names.map((_, at) => `$${at + 1}`);
    const key = tableName === "accounts" || tableName === "workspaces" || tableName === "users" ? "id" : "account_id";
    if (isThere)
      await pool.query(
        `update ${tableName} set ${names.map((column, at) => `"${column}" = $${at + 1}`).join(", ")} where ${key} = $${names.length + 1}`,
        [...Object.values(values), ids[tableName] ?? accountId],
      );
    else {
      await pool.query(
        `insert into ${tableName} (${names.map((column) => `"${column}"`).join(", ")}) values (${places.join(", ")})`,
        Object.values(values),
      );
      if (values["id"] !== undefined) ids[tableName] ??= String(values["id"]);
    }
    for (const [column, value] of Object.entries(values))
      if (JSON.stringify(value).includes("left-") && value !== email) seeded.push(`${tableName}.${column}`);
  };
  // Those that others refer to first: the list goes the other way.
  const ofAccounts = decisions.filter(([, decision]) => isGone(decision) || isKept(decision)).map(([name]) => name);
  await seed("fleetUpdates");
  for (const name of ofAccounts.toReversed()) if (name !== "backups" && name !== "exports" && name !== "restores") await seed(name);
  for (const name of ["backups", "exports", "restores"] as const) await seed(name);
  // What operators typed about it, and what concerns another account.
  const audit = (accountId: string | null, action: string, after: unknown) =>
    pool.query("insert into audit_log (at, account_id, action, after) values (now(), $1, $2, $3)", [
      accountId,
      action,
      JSON.stringify(after),
    ]);
  await audit(accountId, "email.changed", "left-old.address-left@example.com");
  const command = (words: object) => audit(null, "operator.command", { operator: "grace", command: "close", ...words });
  await command({ arguments: [email.toUpperCase()], reason: "left-command.argument-left", options: {} });
  await command({ arguments: [], reason: "mail of\nleft-old.address-left@example.com." });
  const [open] = await db.select().from(tables.accounts).where(eq(tables.accounts.id, accountId));
  await command({ arguments: [open!.name], reason: "left-command.name-left" });
  await command({ arguments: ["someone-else"], reason: "kept" });
  await audit(other, "account.suspended", { reason: "kept" });
  const stored = (await db.select().from(tables.backups))[0]!;
  await storage.write(`backups/${stored.id}`, Readable.from(["left-storage.backup-left"]));
  await pool.query("update backups set stored_as = $1", [`backups/${stored.id}`]);
  const [exported] = await db.select().from(tables.exports);
  await storage.write(storedExport(exported!.id), Readable.from(["left-storage.export-left"]));

  const dump = async (): Promise<string[]> => {
    const found = new Set<string>();
    const note = (text: string) => [...text.matchAll(markers)].forEach((match) => found.add(match[1]!));
    for (const [each] of decisions) {
      const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${nameOf(each)} t`);
      for (const { row } of rows) note(row);
    }
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (file.isFile()) note(readFileSync(join(file.parentPath, file.name), "utf8"));
    return [...found].toSorted();
  };
  const before = await dump();
  const ofStorage = ["command.argument", "command.name", "old.address", "storage.backup", "storage.export"];
  expect(before).toEqual(
    [...new Set([...seeded.filter((column) => column !== "backups.stored_as"), "users.email", ...ofStorage])].toSorted(),
  );
  expect(before.length).toBeGreaterThan(90);

  expect(
    await closeAccount({ ...world.billing, closedAccountDays: 30 }, accountId, {
      kind: "operator",
      operator: "left-closing.operator-left",
      reason: "left-closing.reason-left",
    }),
  ).toMatchObject({ eraseAt: expect.any(Date) as Date });
  await db.update(tables.workspaces).set({ observedState: "deleted" });
  expect(await beginErasing(parts, accountId, { operator: "grace", reason: "ticket 9", early: true })).toBeNull();
  for (let round = 0; round < 4; round += 1) {
    await eraseDue(parts);
    for (const { id } of await claimExpiredBackups(db, world.clock.now())) {
      await db.transaction((tx) => beginRemoval(tx, id, world.clock.now()));
      await finishRemoval({ db, storage }, id);
    }
    for (const { id } of await claimExpiredExports(db, world.clock.now())) {
      await storage.remove(storedExport(id));
      await deleteExport(db, id);
    }
    await db.update(tables.mails).set({ sendAt: null, sentAt: sql`now()` });
    world.clock.advance(minuteMs);
  }
  const [account] = await db.select().from(tables.accounts).where(eq(tables.accounts.id, accountId));
  expect(account).toMatchObject({ erasedAt: expect.any(Date) as Date, erasureError: null });
  const kept = new Set(["fleet_updates", ...decisions.flatMap(([each, decision]) => keptColumns(each, decision))]);
  const left = (await dump()).filter((found) => !kept.has(found) && !kept.has(found.split(".")[0]!));
  expect(left).toEqual([]);
  // Nothing else was touched.
  const { rows } = await pool.query<{ n: number }>("select count(*)::int as n from audit_log where after::text like '%kept%'");
  expect(rows[0]!.n).toBe(2);
  expect(await db.select().from(tables.users)).toHaveLength(1);
  const { rows: commands } = await pool.query<{ after: object }>(
    "select after from audit_log where action = 'operator.command' order by id limit 1",
  );
  expect(commands).toEqual([{ after: { operator: "grace", command: "close" } }]);
});

const keptColumns = (name: TableName, decision: Decision): string[] =>
  isKept(decision) ? decision.stays.map((column) => `${nameOf(name)}.${columnOf(name, column)}`) : [];

test("the page about data shows what is kept", () => {
  expect(readFileSync(new URL("../../../../docs/security/data.md", import.meta.url), "utf8")).toContain(keptAsPage());
});
