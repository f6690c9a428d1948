import { globSync, readFileSync } from "node:fs";
import { lte, sql } from "drizzle-orm";
import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { after, minuteMs } from "../clock.ts";
import type { Connection } from "../database.ts";
import { claimRows, isDue, leaseFor, lockRows } from "./claim-rows.ts";

const jobs = pgTable("jobs", {
  id: text().primaryKey(),
  number: integer().notNull(),
  dueAt: timestamp("due_at", { withTimezone: true }),
  leaseUntil: timestamp("lease_until", { withTimezone: true }),
});
const now = new Date("2026-05-01T12:00:00Z");

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  await database.db.execute(sql`create table jobs (id text primary key, number int not null, due_at timestamptz, lease_until timestamptz)`);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.delete(jobs);
  const ids = ["a", "b", "c", "d"];
  await database.db.insert(jobs).values(ids.map((id, number) => ({ id, number, dueAt: after(now, -number * minuteMs) })));
});

const claim = async (db: Connection, most: number, inHand: readonly string[] = []): Promise<string[]> => {
  const due = isDue(jobs, now, inHand);
  const rows = await claimRows(db, jobs, { key: jobs.id, due, order: [jobs.dueAt], most, set: { leaseUntil: leaseFor(15) } }).returning();
  return rows.map(({ id }) => id).toSorted();
};

test("the first rows are claimed, at most as many as requested, and none twice", async () => {
  expect(await claim(database.db, 3)).toEqual(["b", "c", "d"]);
  expect(await claim(database.db, 3)).toEqual(["a"]);
  expect(await claim(database.db, 3)).toEqual([]);
});

test("two workers at the same moment claim different rows", async () => {
  const both = await Promise.all([claim(database.db, 2), claim(database.db, 2)]);
  expect(both.flat().toSorted()).toEqual(["a", "b", "c", "d"]);
});

test("rows that another transaction has locked are skipped, not waited for", async () => {
  await database.db.transaction(async (tx) => {
    const held = await lockRows(tx, jobs, { key: jobs.id, due: lte(jobs.dueAt, now), order: [jobs.number], most: 1 });
    expect(held).toEqual(["a"]);
    expect(await claim(database.db, 9)).toEqual(["b", "c", "d"]);
  });
  expect(await claim(database.db, 9)).toEqual(["a"]);
});

test("an expired lease is claimed again, but not by the worker that has the row in hand", async () => {
  await database.db.update(jobs).set({ leaseUntil: sql`clock_timestamp() - interval '1 second'` });
  expect(await claim(database.db, 9, ["a", "b"])).toEqual(["c", "d"]);
  expect(await claim(database.db, 9)).toEqual(["a", "b"]);
});

test("rows that are due later, or not at all, stay", async () => {
  await database.db.update(jobs).set({ dueAt: sql`case when number = 0 then ${after(now, 1).toISOString()}::timestamptz end` });
  expect(await claim(database.db, 9)).toEqual([]);
});

test("rows that another transaction only refers to are claimed all the same", async () => {
  await database.db.execute(sql`create table notes (job text references jobs)`);
  await database.db.transaction(async (tx) => {
    await tx.execute(sql`insert into notes values ('a'), ('b'), ('c'), ('d')`);
    expect(await claim(database.db, 9)).toEqual(["a", "b", "c", "d"]);
  });
  await database.db.execute(sql`drop table notes`);
});

/** They delete what they lock, so nothing may refer to it. */
const deleting = ["domain/accounts/end-unconfirmed-accounts.ts", "domain/accounts/erasure-store.ts"];

test("no statement of the server skips rows because they are referred to, unless it deletes what refers to them", () => {
  const files = globSync(["apps/**/*.ts", "domain/**/*.ts", "payments/**/*.ts", "platform/**/*.ts"]).filter(
    (file) => !file.endsWith(".test.ts"),
  );
  const strong = /for update(?: of \w+)? skip locked|\.for\("update", \{[^}]*skipLocked/i;
  expect(files.filter((file) => strong.test(readFileSync(file, "utf8")))).toEqual(deleting);
});

/** In a statement: a lease that is written or compared with a time of the process. */
const leaseByProcess =
  /(?:leaseUntil|takenUntil)\s*:\s*(?:after\(|new Date|now\b|until\b)|(?:lte?|gte?)\(\w+\.(?:leaseUntil|takenUntil),\s*(?:now|after|new Date|clock)/;

test("no lease begins or ends by the clock of a process: two whose clocks differ would both work on a row", () => {
  const files = globSync(["apps/**/*.ts", "domain/**/*.ts", "payments/**/*.ts", "platform/**/*.ts"]).filter(
    (file) => !file.endsWith(".test.ts"),
  );
  expect(files.filter((file) => leaseByProcess.test(readFileSync(file, "utf8")))).toEqual([]);
  expect("set: { leaseUntil: after(now, leaseMs) }").toMatch(leaseByProcess);
  expect("lte(sandboxWebhooks.leaseUntil, now)").toMatch(leaseByProcess);
});
