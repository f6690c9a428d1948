/** A copy that expires now is removed now, whatever pause an earlier attempt or a last backup left behind. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { accounts, backups, exports } from "#database/tables.ts";
import { claimExpiredExports, expireExport, expireExportsOf } from "#domain/exports/export-store.ts";
import { after, dayMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { claimExpiredBackups, expireOfClosed, markRemoved } from "./expired-backup-store.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());

const now = new Date("2027-01-10T09:00:00Z");
const paused = { removalAttempts: 9, removalDueAt: after(now, dayMs), keptUntil: after(now, 30 * dayMs) };

/** An account that was closed long ago, with a backup and an export. */
async function addCopies() {
  const { db } = database;
  const accountId = newId();
  const of = { accountId, workspaceId: newId(), createdAt: now, ...paused };
  await db.insert(accounts).values({ id: accountId, name: `p${accountId.slice(-12)}`, createdAt: now, closedAt: now, eraseAt: now });
  const [backup] = await db
    .insert(backups)
    .values({ ...of, id: newId(), kind: "manual", engine: "n8n", engineVersion: "1", state: "successful" })
    .returning();
  const [made] = await db
    .insert(exports)
    .values({ ...of, id: newId(), life: 1, state: "ready", withCredentials: false })
    .returning();
  return { accountId, backup: backup!.id, made: made!.id };
}

const expired = async () =>
  [...(await claimExpiredBackups(database.db, now)), ...(await claimExpiredExports(database.db, now))].map(({ id }) => id);

test("a backup that its owner deletes, and one of an account that is erased", async () => {
  const { db } = database;
  const one = await addCopies();
  expect(await expired()).toEqual([]);
  await markRemoved(db, one.backup, now);
  expect(await expired()).toEqual([one.backup]);
  const two = await addCopies();
  await expireOfClosed(db, now);
  expect(await expired()).toEqual([two.backup]);
});

test("an export that its owner deletes, and those of an account that is erased", async () => {
  const { db } = database;
  const [one, two] = [await addCopies(), await addCopies()];
  expect(await expireExport(db, one.made, now)).toBe(true);
  expect(await expired()).toEqual([one.made]);
  await expireExportsOf(db, two.accountId);
  expect(await expired()).toEqual([two.made]);
});
