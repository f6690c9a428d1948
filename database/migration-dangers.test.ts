import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { dangersOf, smallTables } from "./migration-dangers.ts";
import * as tables from "./tables.ts";

/** Older than this check, except 0053, which was written beside it and keeps its tables' locks until it ends: docs/many-processes.md. */
const lastUnchecked = 53;

test("no new migration rewrites or blocks a table that grows", () => {
  const files = globSync(join(import.meta.dirname, "migrations/*.sql")).filter(
    (file) => Number.parseInt(basename(file), 10) > lastUnchecked,
  );
  expect(files.flatMap((file) => dangersOf(readFileSync(file, "utf8")).map((danger) => `${basename(file)}: ${danger}`))).toEqual([]);
});

test("every small table exists", () => {
  const existing = new Set<string>(Object.values(tables).flatMap((table) => (is(table, PgTable) ? [getTableName(table)] : [])));
  expect([...smallTables].filter((name) => !existing.has(name))).toEqual([]);
});

test.each([
  'CREATE INDEX "accounts_name" ON "accounts" USING btree ("name");',
  'CREATE UNIQUE INDEX IF NOT EXISTS "accounts_name" ON "public"."accounts" ("name")',
  'ALTER TABLE "workspaces" ADD CONSTRAINT "one" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade;',
  'ALTER TABLE "workspaces" ADD CONSTRAINT "two" CHECK ("workspaces"."state" in (1))',
  'ALTER TABLE "accounts" ADD CONSTRAINT "three" UNIQUE("name")',
  'ALTER TABLE "accounts" ADD PRIMARY KEY ("name")',
  'ALTER TABLE "accounts" ALTER COLUMN "name" SET DATA TYPE varchar(3)',
  "alter table only accounts alter name set default 1, alter column name type int",
  'ALTER TABLE "accounts" ALTER COLUMN "name" SET NOT NULL',
  'ALTER TABLE "accounts" ADD COLUMN "name" text NOT NULL',
  'ALTER TABLE "accounts" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL',
  'ALTER TABLE "accounts" ADD COLUMN "at" timestamp with time zone DEFAULT clock_timestamp()',
  'ALTER TABLE "accounts" ADD COLUMN "at" int GENERATED ALWAYS AS (1) STORED',
  'ALTER TABLE "accounts" ADD COLUMN "number" bigserial',
  "ALTER TABLE accounts ADD COLUMN a text, ADD COLUMN b text",
  "update accounts set name = lower(name)",
  "-- all of them\nDELETE FROM accounts where true",
  "lock table accounts in share mode",
  'CREATE INDEX CONCURRENTLY "a" ON "accounts" ("name");--> statement-breakpoint\nALTER TABLE "accounts" ADD COLUMN "later" text',
  'ALTER TABLE "accounts" ADD CONSTRAINT "a" CHECK (true) NOT VALID;\nALTER TABLE "accounts" VALIDATE CONSTRAINT "a"',
])("refused: %s", (migration) => {
  expect(dangersOf(migration)).toHaveLength(1);
});

test.each([
  'CREATE INDEX CONCURRENTLY "accounts_name" ON "accounts" ("name");--> statement-breakpoint\nCREATE UNIQUE INDEX CONCURRENTLY "b" ON "accounts" ("id")',
  'CREATE TABLE "fresh" ("id" text PRIMARY KEY NOT NULL);\n--> statement-breakpoint\nALTER TABLE "fresh" ADD CONSTRAINT "a" FOREIGN KEY ("id") REFERENCES "accounts"("id");--> statement-breakpoint\nCREATE INDEX "i" ON "fresh" ("id")',
  'ALTER TABLE "accounts" ADD COLUMN "later" text',
  'ALTER TABLE "accounts" ADD COLUMN "later" integer DEFAULT 1 NOT NULL',
  `ALTER TABLE "accounts" ADD COLUMN "later" jsonb DEFAULT '{}'::jsonb NOT NULL`,
  'ALTER TABLE "accounts" ADD CONSTRAINT "a" CHECK (true) NOT VALID',
  'ALTER TABLE "accounts" VALIDATE CONSTRAINT "a"',
  'ALTER TABLE "accounts" DROP CONSTRAINT "a"',
  'CREATE INDEX "hosts_name" ON "hosts" ("name")',
  "update service_state set value = '1'",
])("allowed: %s", (migration) => {
  expect(dangersOf(migration)).toEqual([]);
});
