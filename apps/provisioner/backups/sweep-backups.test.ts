/** Nightly backups, and the end of those that are expired or left by a dead worker. */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { backups, workspaces } from "#database/tables.ts";
import { after, dayMs, hourMs, minuteMs, systemClock } from "#platform/clock.ts";
import { changeUpdate, insertUpdate } from "#domain/updates/update-store.ts";
import { newId } from "#platform/ids.ts";
import { useBackupScene } from "#testing/fleet/backup-scene.ts";
import { sweepAbandoned, sweepBackups } from "./sweep-backups.ts";

const scene = useBackupScene();

test("backups opened by a dead worker are removed; those that a living worker inspects stay", async () => {
  const { id } = await scene.runWorkspace();
  const { db } = scene.fleet.database;
  const row = {
    accountId: (await scene.workspaceOf(id)).accountId,
    workspaceId: id,
    kind: "before-update" as const,
    engine: "n8n" as const,
    engineVersion: "2.0.0",
    state: "running" as const,
    attempts: 1,
    leaseOwner: "0199a000-0000-7000-8000-00000000beef",
    createdAt: new Date(),
  };
  const [dead, living] = ["0199a000-0000-7000-8000-000000000b01", "0199a000-0000-7000-8000-000000000b02"];
  await db.insert(backups).values([
    { ...row, id: dead, leaseUntil: after(new Date(), -1_000) },
    { ...row, id: living, leaseUntil: after(new Date(), 60_000) },
  ]);
  for (const name of [dead, living, "0199a000-0000-7000-8000-00000000gone"])
    await mkdir(join(scene.tools.stagingDir, name), { recursive: true });
  await writeFile(join(scene.tools.stagingDir, dead, "database.sqlite"), "what a customer stored");
  await sweepAbandoned(scene.tools);
  expect((await readdir(scene.tools.stagingDir)).filter((name) => name.startsWith("0199a000"))).toEqual([living]);
});

test("any number of simultaneous sweeps make one backup a night", async () => {
  const { id } = await scene.runWorkspace();
  await scene.fleet.database.db
    .update(workspaces)
    .set({ createdAt: after(new Date(), -40 * hourMs) })
    .where(eq(workspaces.id, id));
  const nightly = async () =>
    (await scene.fleet.database.db.select().from(backups).where(eq(backups.workspaceId, id))).filter(({ kind }) => kind === "nightly");
  await Promise.all(Array.from({ length: 9 }, () => sweepBackups(scene.tools)));
  expect(await nightly()).toHaveLength(1);
  await scene.untilBackup((await nightly())[0]!.id, "successful");
  await Promise.all(Array.from({ length: 9 }, () => sweepBackups(scene.tools)));
  expect(await nightly()).toHaveLength(1);
});

test("an expired backup stays while an open update names it, and an interrupted removal is completed", async () => {
  const { id } = await scene.runWorkspace();
  const { id: named } = await scene.untilBackup((await scene.request(id)).id, "successful");
  const { id: half } = await scene.untilBackup((await scene.request(id)).id, "successful");
  await scene.untilBackup((await scene.request(id)).id, "successful");
  const update = (await insertUpdate(
    scene.fleet.database.db,
    { workspaceId: id, fromVersion: "1.9.0", toVersion: "2.0.0", askedBy: "owner", backupId: named },
    new Date(),
  ))!;
  // Not the workspace's own update, which its steps would end.
  await scene.fleet.database.db
    .update(workspaces)
    .set({ reconcileAt: after(new Date(), hourMs) })
    .where(eq(workspaces.id, id));
  await scene.fleet.database.db
    .update(backups)
    .set({ keptUntil: after(new Date(), -1_000) })
    .where(eq(backups.id, named));
  await scene.fleet.database.db
    .update(backups)
    .set({ state: "removed", keptUntil: after(new Date(), -1_000) })
    .where(eq(backups.id, half));
  await sweepBackups(scene.tools);
  expect(await scene.backupOf(named)).toMatchObject({ state: "successful" });
  expect(await scene.backupOf(half)).toBeUndefined();
  expect((await readdir(scene.folderOf())).filter((name) => name.startsWith(half))).toEqual([]);
  await changeUpdate(scene.fleet.database.db, update.id, { state: "failed", finishedAt: new Date() });
  await sweepBackups(scene.tools);
  expect(await scene.backupOf(named)).toBeUndefined();
});

test("old backups are removed, but never the last one of an existing workspace", async () => {
  const { id } = await scene.runWorkspace();
  const first = await scene.untilBackup((await scene.request(id)).id, "successful");
  const second = await scene.untilBackup((await scene.request(id)).id, "successful");
  const later = { ...scene.tools, clock: { now: () => after(systemClock.now(), 40 * dayMs) } };
  await sweepBackups(later);
  expect(await scene.backupOf(first.id)).toBeUndefined();
  expect(await scene.backupOf(second.id)).toMatchObject({ state: "successful" });
  const left = await readdir(scene.folderOf());
  expect([first, second].map((each) => left.includes(basename(scene.fileOf(each))))).toEqual([false, true]);
});

test("nothing expires while this host's clock and the database's differ by more than an hour", async () => {
  const { id } = await scene.runWorkspace();
  const first = await scene.untilBackup((await scene.request(id)).id, "successful");
  await scene.untilBackup((await scene.request(id)).id, "successful");
  const clock = { now: () => after(systemClock.now(), 40 * dayMs) };
  await sweepBackups({ ...scene.tools, clock, machineClock: clock });
  expect(await scene.backupOf(first.id)).toMatchObject({ state: "successful" });
  // The sandbox moves the service's clock, and not the machine's.
  await sweepBackups({ ...scene.tools, clock, machineClock: { now: () => after(systemClock.now(), 50 * minuteMs) } });
  expect(await scene.backupOf(first.id)).toBeUndefined();
});

test("an overdue workspace gets its nightly backup, once", async () => {
  const { id } = await scene.runWorkspace();
  await scene.fleet.database.db
    .update(workspaces)
    .set({ createdAt: after(new Date(), -31 * hourMs) })
    .where(eq(workspaces.id, id));
  await sweepBackups(scene.tools);
  await sweepBackups(scene.tools);
  const rows = (await scene.fleet.database.db.select().from(backups).where(eq(backups.workspaceId, id))).filter(
    ({ kind }) => kind === "nightly",
  );
  expect(rows).toHaveLength(1);
  await scene.untilBackup(rows[0]!.id, "successful");
});

test("a workspace that had its nightly backup yesterday waits for its night, however old it is", async () => {
  const { id } = await scene.runWorkspace();
  const { accountId } = await scene.fleet.row(id);
  const noon = new Date();
  noon.setUTCHours(12, 0, 0, 0);
  const change = { createdAt: after(noon, -90 * hourMs), nightlyAt: after(noon, -hourMs), timezone: "Etc/UTC" };
  await scene.fleet.database.db.update(workspaces).set(change).where(eq(workspaces.id, id));
  const row = { accountId, workspaceId: id, kind: "nightly", state: "successful", engine: "n8n", engineVersion: "2.0.0" } as const;
  await scene.fleet.database.db.insert(backups).values({ ...row, id: newId(), createdAt: after(noon, -20 * hourMs) });
  await sweepBackups({ ...scene.tools, clock: { now: () => noon } });
  expect(await scene.fleet.database.db.select().from(backups).where(eq(backups.workspaceId, id))).toHaveLength(1);
  expect((await scene.fleet.row(id)).nightlyAt.getTime()).toBeGreaterThan(noon.getTime());
});

test("a hundred backups that cannot be removed from the storage keep no other from being removed", async () => {
  const { db } = scene.fleet.database;
  const { id } = await scene.runWorkspace();
  const { accountId } = await scene.fleet.row(id);
  const now = scene.tools.clock.now();
  const of = { accountId, workspaceId: newId(), kind: "manual", engine: "n8n", engineVersion: "1.9.0", createdAt: now } as const;
  const stuck = Array.from({ length: 100 }, () => newId());
  await db.insert(backups).values(stuck.map((each) => ({ ...of, id: each, state: "removed" as const, keptUntil: after(now, -hourMs) })));
  const [last] = await db
    .insert(backups)
    .values({ ...of, id: newId(), state: "failed", keptUntil: after(now, -minuteMs) })
    .returning();
  const storage = Object.create(scene.tools.storage) as typeof scene.tools.storage;
  storage.remove = (name) =>
    stuck.some((each) => name.includes(each)) ? Promise.reject(new Error("locked for years")) : Promise.resolve();
  await sweepBackups({ ...scene.tools, storage });
  await sweepBackups({ ...scene.tools, storage });
  expect(await scene.backupOf(last!.id)).toBeUndefined();
  const row = (await scene.backupOf(stuck[0]!))!;
  expect(row).toMatchObject({ removalAttempts: 1, removalError: expect.stringContaining("locked for years") });
  expect(row.removalDueAt!.getTime()).toBeGreaterThanOrEqual(now.getTime() + 5 * minuteMs);
  // Each attempt waits twice as long, up to a day; then it is removed as soon as the storage allows it.
  await db.update(backups).set({ removalAttempts: 30, removalDueAt: now }).where(eq(backups.id, stuck[0]!));
  await sweepBackups({ ...scene.tools, storage });
  expect((await scene.backupOf(stuck[0]!))!.removalDueAt!.getTime()).toBeLessThanOrEqual(scene.tools.clock.now().getTime() + dayMs);
  await db.update(backups).set({ removalDueAt: now }).where(eq(backups.workspaceId, of.workspaceId));
  await sweepBackups(scene.tools);
  expect(await db.select().from(backups).where(eq(backups.workspaceId, of.workspaceId))).toEqual([]);
});
