import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accounts, backups, workspaces } from "#database/tables.ts";
import { claimExports, insertExport } from "#domain/exports/export-store.ts";
import { after, hourMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { claimBackups, insertBackup } from "./backup-queue.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());

const now = new Date("2027-01-10T09:00:00Z");
const worker = newId();

async function addWorkspace(host: string | null) {
  const id = newId();
  await database.db.insert(accounts).values({ id, name: `b${id.slice(-12)}`, createdAt: now });
  const spec = { engine: "n8n", desiredState: "running", desiredVersion: "1", timezone: "Etc/UTC", memoryMb: 1, secrets: "-" } as const;
  await database.db.insert(workspaces).values({ id, accountId: id, host, ...spec, createdAt: now, updatedAt: now });
  return { accountId: id, workspaceId: id };
}
const claim = async (host: string) => (await claimBackups(database.db, worker, now, 9, [], host)).map(({ id }) => id);
const claimExportsOf = async (host: string) => (await claimExports(database.db, worker, now, 9, [], host)).map(({ id }) => id);

test("queued backups and exports follow their workspace to the host that takes it", async () => {
  const whose = await addWorkspace("a");
  const { db } = database;
  const wanted = { ...whose, kind: "manual", engine: "n8n", engineVersion: "1" } as const;
  const { id } = (await insertBackup(db, wanted, now))!;
  const made = await insertExport(db, { ...whose, withCredentials: false, credentialsKey: null, keptUntil: after(now, hourMs) }, now);
  await db.update(workspaces).set({ host: null }).where(eq(workspaces.id, whose.workspaceId));
  expect([await claim("a"), await claimExportsOf("a")]).toEqual([[], []]);
  await db.update(workspaces).set({ host: "b" }).where(eq(workspaces.id, whose.workspaceId));
  expect([await claim("a"), await claimExportsOf("a")]).toEqual([[], []]);
  expect([await claim("b"), await claimExportsOf("b")]).toEqual([[id], [made.id]]);
});

test("one that is queued while its workspace moves is not left behind on the old host", async () => {
  const whose = await addWorkspace("a");
  const { db } = database;
  const wanted = { ...whose, kind: "manual", engine: "n8n", engineVersion: "1" } as const;
  let queued: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    await tx.update(workspaces).set({ host: "b" }).where(eq(workspaces.id, whose.workspaceId));
    queued = insertBackup(db, wanted, now);
    // It waits for the move, which is not committed yet: what it read before would be the old host.
    expect(await Promise.race([queued.then(() => "queued"), tx.execute("select pg_sleep(0.3)").then(() => "waits")])).toBe("waits");
  });
  await queued;
  expect(await db.select({ host: backups.host }).from(backups).where(eq(backups.workspaceId, whose.workspaceId))).toEqual([{ host: "b" }]);
});

test("those of a workspace that no longer exists are finished by any host, whatever it is called", async () => {
  const { accountId } = await addWorkspace("c");
  const placed = await addWorkspace(null);
  await insertBackup(database.db, { ...placed, kind: "manual", engine: "n8n", engineVersion: "1" }, now);
  const { id } = (await insertBackup(
    database.db,
    { accountId, workspaceId: newId(), kind: "manual", engine: "n8n", engineVersion: "1" },
    now,
  ))!;
  // Neither those of a workspace that waits for a host.
  expect(await claim("c")).toEqual([id]);
  const whose = { accountId, workspaceId: newId(), withCredentials: false, credentialsKey: null, keptUntil: after(now, hourMs) };
  const made = await insertExport(database.db, { ...whose, life: 1 }, now);
  expect(await claimExportsOf("c")).toEqual([made.id]);
});
