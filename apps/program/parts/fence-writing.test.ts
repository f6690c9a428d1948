import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createTestDatabase } from "#testing/postgres.ts";
import { fenceWriting } from "./fence-writing.ts";

/** A lock that the test gives and takes. */
function lockOf() {
  let holding = Promise.withResolvers<void>();
  holding.resolve();
  return { held: () => holding.promise, lose: () => (holding = Promise.withResolvers<void>()), regain: () => holding.resolve() };
}
const settled = (work: Promise<unknown>) =>
  Promise.race([work.then(() => true), new Promise((resolve) => setTimeout(resolve, 100, false))]);

test("statements and transactions wait until every lock is held again, and those of other work do not", async () => {
  await using database = await createTestDatabase({ empty: true });
  const [folder, workspaces] = [lockOf(), lockOf()];
  const { db } = fenceWriting(database.pool, [folder, workspaces]);
  expect((await db.execute(sql`select 1`)).rowCount).toBe(1);
  folder.lose();
  workspaces.lose();
  const statement = db.execute(sql`select 1`);
  const transaction = db.transaction((tx) => tx.execute(sql`select 1`));
  expect(await settled(statement)).toBe(false);
  folder.regain();
  expect(await settled(Promise.any([statement, transaction]))).toBe(false);
  expect((await database.db.execute(sql`select 1`)).rowCount).toBe(1);
  workspaces.regain();
  expect((await Promise.all([statement, transaction])).map(({ rowCount }) => rowCount)).toEqual([1, 1]);
});

test("a process that ends without its locks does not wait for them, and one that holds them finishes its work", async () => {
  await using database = await createTestDatabase({ empty: true });
  const lock = lockOf();
  const { db, end } = fenceWriting(database.pool, [lock]);
  lock.lose();
  const waiting = db.execute(sql`select 1`).catch(() => "failed");
  end();
  expect(await waiting).toBe("failed");
  lock.regain();
  expect((await db.execute(sql`select 1`)).rowCount).toBe(1);
});
