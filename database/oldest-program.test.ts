import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contracted } from "./contracted.ts";
import { contractSteps, readSnapshot } from "./contract-steps.ts";
import { listMigrations, oldestProgram } from "./oldest-program.ts";

const read = (name: string) => readFileSync(new URL(`migrations/${name}`, import.meta.url), "utf8");
const knownBy = (tag: string) => readSnapshot(JSON.parse(read(`meta/${tag.slice(0, 4)}_snapshot.json`)));

const isMeant = (explained: string | RegExp, statement: string): boolean =>
  typeof explained === "string" ? explained === statement : explained.test(statement);

test("no migration takes from the oldest program that may run what it reads or writes", () => {
  const migrations = listMigrations();
  const from = migrations.findIndex(({ tag }) => tag === oldestProgram);
  expect(from, "oldestProgram is a migration").toBeGreaterThan(-1);
  const known = knownBy(oldestProgram);
  const taken = migrations.slice(from + 1).flatMap(({ tag }) =>
    contractSteps(read(`${tag}.sql`), known)
      .filter(({ statement }) => !contracted.some((each) => tag === each.migration && isMeant(each.statement, statement)))
      .map(({ statement, takes }) => `${tag}: ${statement} (takes ${takes})`),
  );
  expect(taken, "expand first, and contract a release later: CONTRIBUTING.md, “Two releases on one schema”").toEqual([]);
});

test("each explained statement is in a migration, and says why it takes nothing", () => {
  const known = knownBy(oldestProgram);
  const there = listMigrations().flatMap(({ tag }) => contractSteps(read(`${tag}.sql`), known).map((step) => ({ tag, ...step })));
  for (const { migration, statement, because } of contracted) {
    expect(
      there.some((step) => step.tag === migration && isMeant(statement, step.statement)),
      String(statement),
    ).toBe(true);
    expect(because).toMatch(/\.$/);
  }
});

const known = { accounts: new Set(["id", "name"]), mails: new Set(["id"]) };

test.each([
  `DROP TABLE "accounts" CASCADE;`,
  `ALTER TABLE "accounts" DROP COLUMN "name";`,
  `ALTER TABLE "public"."accounts" RENAME COLUMN "name" TO "title";`,
  `ALTER TABLE "accounts" RENAME TO "customers";`,
  `ALTER TABLE "accounts" ALTER COLUMN "name" SET DATA TYPE integer;`,
  `ALTER TABLE "accounts" ALTER COLUMN "name" SET NOT NULL;`,
  `ALTER TABLE "accounts" ALTER COLUMN "name" DROP DEFAULT;`,
  `ALTER TABLE "accounts" ADD COLUMN "closed" boolean NOT NULL;`,
  `ALTER TABLE "accounts" ADD COLUMN "a" text, ADD COLUMN "b" text NOT NULL;`,
  `ALTER TABLE "mails" ADD CONSTRAINT "mails_id" CHECK ("id" > 0);`,
  `CREATE UNIQUE INDEX "accounts_name" ON "accounts" USING btree ("name");`,
  `DROP INDEX "accounts_name";`,
  `ALTER TABLE "accounts" DROP CONSTRAINT "accounts_name_unique";`,
  `create trigger refuse before update on accounts for each row execute function refuse();`,
  `-- a comment
   alter table only accounts
     drop column if exists name;`,
])("%s is a step that takes something", (statement) => expect(contractSteps(statement, known)).toHaveLength(1));

test.each([
  `CREATE TABLE "news" ("id" uuid PRIMARY KEY NOT NULL);--> statement-breakpoint CREATE UNIQUE INDEX "news_open" ON "news" ("id");`,
  `ALTER TABLE "news" ADD CONSTRAINT "news_fk" FOREIGN KEY ("id") REFERENCES "public"."accounts"("id");`,
  `ALTER TABLE "accounts" ADD COLUMN "closed" boolean DEFAULT false NOT NULL;`,
  `ALTER TABLE "accounts" ADD COLUMN "closed_at" timestamp with time zone;`,
  `ALTER TABLE "accounts" DROP COLUMN "newer";`,
  `ALTER TABLE "accounts" ALTER COLUMN "name" DROP NOT NULL;`,
  `CREATE INDEX "accounts_name" ON "accounts" USING btree ("name");`,
])("%s takes nothing", (statement) => expect(contractSteps(statement, known)).toEqual([]));
