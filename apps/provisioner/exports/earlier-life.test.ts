/** Exports and backups that were requested for a workspace deleted since: the next one has its row, and not its contents. */
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { backups, exports, mails, workspaces } from "#database/tables.ts";
import { claimBackups } from "#domain/backups/backup-queue.ts";
import { requestBackup } from "#domain/backups/request-backup.ts";
import { findOpenExport, insertExport, storedExport } from "#domain/exports/export-store.ts";
import { after, dayMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createSecrets } from "#platform/secrets.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { workOnBackup } from "../backups/work-on-backup.ts";
import type { EngineExportFile } from "../engines/port/engine-copies.ts";
import { createExportWork } from "./export-work.ts";

async function launched(fleet: TestFleet, onRead: () => Promise<unknown> = async () => undefined) {
  const loop = fleet.startLoop();
  let reads = 0;
  async function* read(): AsyncGenerator<EngineExportFile> {
    reads += 1;
    await onRead();
    yield { kind: "workflow", path: "workflows/one.json", content: "{}", count: 1 };
  }
  Object.assign(fleet.engine, { exports: { read, companions: () => [] } });
  const id = await fleet.want("acme");
  await fleet.until(id, ({ observedState, leaseOwner }) => observedState === "online" && leaseOwner === null);
  fleet.world.get(id).storage.set("things/count.json", '{"workflows":3,"credentials":0,"executions":0}');
  await loop.stop();
  const secrets = createSecrets("a key for tests, long enough to be one");
  const work = createExportWork({ ...fleet.backupTools, secrets, publicUrl: "http://localhost:3000" });
  return { id, work, reads: () => reads };
}

/** As after its deletion and a new launch. */
const renew = (fleet: TestFleet, id: string) =>
  fleet.database.db
    .update(workspaces)
    .set({ life: sql`${workspaces.life} + 1` })
    .where(eq(workspaces.id, id));

async function ask(fleet: TestFleet, id: string) {
  const { accountId } = await fleet.row(id);
  const wanted = { accountId, workspaceId: id, withCredentials: false, credentialsKey: null, keptUntil: after(new Date(), dayMs) };
  return insertExport(fleet.database.db, wanted, new Date());
}

test("an export requested before a deletion is not made from the next workspace", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const { id, work, reads } = await launched(fleet);
  await ask(fleet, id);
  await renew(fleet, id);
  await Promise.all(await work.claim(newId()));
  expect(await db.select({ state: exports.state, workflows: exports.workflows }).from(exports)).toEqual([
    { state: "failed", workflows: null },
  ]);
  expect(reads()).toBe(0);
  expect(await db.$count(mails)).toBe(0);
});

test("an export during which the workspace is replaced is not ready, and its file is removed", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const { id, work, reads } = await launched(fleet, () => renew(fleet, id));
  const asked = await ask(fleet, id);
  await Promise.all(await work.claim(newId()));
  expect(reads()).toBe(1);
  expect(await db.select({ state: exports.state }).from(exports)).toEqual([{ state: "failed" }]);
  await expect(fleet.backupTools.storage.read(storedExport(asked.id))).rejects.toThrow();
  expect(await db.$count(mails)).toBe(0);
});

test("the next workspace's owner may request an export while an earlier one is still under way", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const { id, work } = await launched(fleet);
  const earlier = await ask(fleet, id);
  await renew(fleet, id);
  expect(await findOpenExport(db, await fleet.row(id), false)).toBeNull();
  const next = await ask(fleet, id);
  expect(next.id).not.toBe(earlier.id);
  await Promise.all(await work.claim(newId()));
  const states = await db.select({ id: exports.id, state: exports.state }).from(exports).orderBy(exports.createdAt);
  expect(states).toEqual([
    { id: earlier.id, state: "failed" },
    { id: next.id, state: "ready" },
  ]);
});

test("a backup requested before a deletion is not made from the next workspace, and does not hinder its backups", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const { id } = await launched(fleet);
  const earlier = await requestBackup(db, await fleet.row(id), "manual", new Date());
  await renew(fleet, id);
  const next = await requestBackup(db, await fleet.row(id), "manual", new Date());
  expect(next.id).not.toBe(earlier.id);
  await renew(fleet, id);
  const worker = newId();
  for (const row of await claimBackups(db, worker, new Date(), 10)) await workOnBackup(fleet.backupTools, row, worker);
  const states = await db.select({ state: backups.state, keptUntil: backups.keptUntil }).from(backups);
  expect(states).toEqual([
    { state: "failed", keptUntil: expect.any(Date) },
    { state: "failed", keptUntil: expect.any(Date) },
  ]);
  expect((await requestBackup(db, await fleet.row(id), "manual", new Date())).life).toBe(3);
});
