/** Backups of simulated workspaces: the real loop, database, encryption and storage. */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, statfs, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { backups, workspaces } from "#database/tables.ts";
import { claimBackups } from "#domain/backups/backup-queue.ts";
import { requestBackup } from "#domain/backups/request-backup.ts";
import { createBackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import { after, dayMs, hourMs, systemClock } from "#platform/clock.ts";
import { changeUpdate, insertUpdate } from "#domain/updates/update-store.ts";
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import { newId } from "#platform/ids.ts";
import { createSecrets } from "#platform/secrets.ts";
import { counts, useBackupScene } from "#testing/fleet/backup-scene.ts";
import { createBackups } from "./create-backups.ts";
import { sweepBackups } from "./sweep-backups.ts";
import { workOnBackup } from "./work-on-backup.ts";

const scene = useBackupScene();

test("a requested backup is made, opened and counted, and is unreadable in the storage", async () => {
  const { id } = await scene.runWorkspace();
  const asked = await scene.request(id);
  expect((await scene.request(id)).id).toBe(asked.id);
  const made = await scene.untilBackup(asked.id, "successful");
  expect(made).toMatchObject({ ...counts, kind: "manual", engineVersion: "2.0.0", leaseOwner: null, dueAt: null, reason: null });
  expect(made.verifiedAt).toEqual(expect.any(Date));
  expect(made.keptUntil!.getTime()).toBeGreaterThan(Date.now() + 2 * dayMs);
  const stored = await readFile(scene.fileOf(made));
  expect(stored.length).toBe(made.size);
  expect(stored.includes("as it was")).toBe(false);
  expect(await readdir(scene.tools.stagingDir)).toEqual([]);
});

test("a name that is too long is listed up to the limit, and the backup still succeeds", async () => {
  const { id, things } = await scene.runWorkspace();
  const start = `things/${"a".repeat(292)}`;
  things.set(start + "\u{1F600}".repeat(600), "x");
  const made = await scene.untilBackup((await scene.request(id)).id, "successful");
  expect(made.leftOut).toEqual({ total: 1, names: [{ name: `${start}\uFFFD`, why: "name" }] });
});

test("a copy that cannot be opened, is too large or does not fit does not count as a backup, gives the reason, and leaves no files", async () => {
  const { id, things } = await scene.runWorkspace();
  const workspace = await scene.workspaceOf(id);
  things.set("things/count.json", "not what it should be");
  await expect(createBackups(scene.tools).make(workspace, "before-update")).rejects.toMatchObject({ code: "damaged" });
  things.set("things/count.json", JSON.stringify(counts));
  await expect(createBackups({ ...scene.tools, limits: { bytes: 10, files: 100 } }).make(workspace, "before-update")).rejects.toMatchObject(
    {
      code: "too_large",
    },
  );
  const { storage } = scene.tools;
  const full = {
    ...storage,
    async write(name: string, content: Readable) {
      const short = async function* () {
        yield Buffer.alloc(1);
        for await (const _chunk of content) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
      };
      await storage.write(name, Readable.from(short(), { objectMode: false }));
    },
  };
  await expect(createBackups({ ...scene.tools, storage: full }).make(workspace, "before-update")).rejects.toMatchObject({
    code: "no_room",
    reason: expect.stringContaining("not enough storage space"),
  });
  const { bavail, bsize } = await statfs(scene.tools.stagingDir);
  const nearFloor = { ...scene.tools, stagingFloorMb: (bavail * bsize) / 1024 ** 2 + 10_000 };
  await expect(createBackups(nearFloor).make(workspace, "before-update")).rejects.toMatchObject({ code: "uninspected" });
  const rows = await scene.fleet.database.db.select().from(backups).where(eq(backups.workspaceId, id));
  expect(rows.map(({ state }) => state)).toEqual(["failed", "failed", "failed", "failed"]);
  const left = await readdir(scene.folderOf());
  expect(rows.some((row) => left.some((name) => name.startsWith(row.id)))).toBe(false);
});

test("a stopped workspace is backed up as it is, and cannot start during the backup", async () => {
  const { id } = await scene.runWorkspace();
  await scene.fleet.database.db
    .update(workspaces)
    .set({ desiredState: "stopped", reconcileAt: systemClock.now(), updatedAt: systemClock.now() })
    .where(eq(workspaces.id, id));
  await scene.fleet.until(id, (row) => row.observedState === "stopped" && row.leaseOwner === null);
  await scene.untilBackup((await scene.request(id)).id, "successful");
  expect((await scene.fleet.row(id)).leaseOwner).toBeNull();
});

test("a backup whose worker died is made by another worker; one begun by a step is marked as failed", async () => {
  const { id } = await scene.runWorkspace();
  const { db } = scene.fleet.database;
  const dead = "0199a000-0000-7000-8000-00000000dead";
  const row = { ...(await scene.workspaceOf(id)), id: undefined };
  const values = {
    accountId: row.accountId,
    workspaceId: id,
    engine: "n8n" as const,
    engineVersion: "2.0.0",
    state: "running" as const,
    attempts: 1,
    leaseOwner: dead,
    leaseUntil: after(new Date(), -1_000),
    createdAt: new Date(),
  };
  await db.insert(backups).values({ ...values, id: "0199a000-0000-7000-8000-000000000a01", kind: "manual", dueAt: new Date() });
  await db.insert(backups).values({ ...values, id: "0199a000-0000-7000-8000-000000000a02", kind: "before-update" });
  await sweepBackups(scene.tools);
  expect(await scene.backupOf("0199a000-0000-7000-8000-000000000a02")).toMatchObject({
    state: "failed",
    detail: expect.stringContaining("died"),
  });
  expect(await scene.untilBackup("0199a000-0000-7000-8000-000000000a01", "successful")).toMatchObject({ attempts: 2 });
});

test("of the copies before a deletion that cannot be opened the newest is kept for operators", async () => {
  const { id, things } = await scene.runWorkspace();
  const workspace = await scene.workspaceOf(id);
  things.set("things/count.json", "not what it should be");
  const make = () => createBackups(scene.tools).make(workspace, "before-deletion");
  await expect(make()).rejects.toMatchObject({ code: "damaged" });
  await expect(make()).rejects.toMatchObject({ code: "damaged" });
  const rows = (await scene.fleet.database.db.select().from(backups).where(eq(backups.workspaceId, id))).toSorted(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime(),
  );
  expect(rows.map(({ state, size }) => [state, size !== null])).toEqual([
    ["failed", false],
    ["failed", true],
  ]);
  const theirs = (await readdir(scene.folderOf())).filter((name) => rows.some((row) => name.startsWith(row.id)));
  expect(theirs).toEqual([basename(scene.fileOf(rows[1]!))]);
});

test("two backups of one workspace are made one after the other, even by two workers", async () => {
  const { id } = await scene.runWorkspace();
  const { db } = scene.fleet.database;
  await scene.stopLoop();
  const row = await scene.fleet.row(id);
  const manual = await requestBackup(db, row, "manual", systemClock.now());
  const nightly = await requestBackup(db, row, "nightly", systemClock.now());
  const [one, other] = [newId(), newId()];
  const mine = async (worker: string) => (await claimBackups(db, worker, new Date(), 100)).filter(({ workspaceId }) => workspaceId === id);
  const claimed = (await Promise.all([mine(one), mine(other)])).flat();
  expect(claimed.map((each) => each.id)).toEqual([manual.id]);
  expect(await mine(other)).toEqual([]);
  await db.update(backups).set({ state: "failed", dueAt: null, leaseOwner: null, leaseUntil: null }).where(eq(backups.id, manual.id));
  expect((await mine(other)).map((each) => each.id)).toEqual([nightly.id]);
  scene.startLoop();
});

test("two workers that take the same backup after a lapsed lease write to two names, and the recorded one is whole", async () => {
  const { id } = await scene.runWorkspace();
  const { db } = scene.fleet.database;
  await scene.stopLoop();
  const { id: asked } = await requestBackup(db, await scene.fleet.row(id), "manual", systemClock.now());
  const claim = async (worker: string) => (await claimBackups(db, worker, new Date(), 100)).find((row) => row.id === asked)!;
  const [slow, quick] = [newId(), newId()];
  const first = await claim(slow);
  await db
    .update(backups)
    .set({ leaseUntil: after(new Date(), -1_000) })
    .where(eq(backups.id, asked));
  const second = await claim(quick);
  const { storage } = scene.tools;
  // The worker without the lease stores all of its copy between the other's writing and reading back.
  const late = {
    ...storage,
    write: async (name: string, content: Readable) => {
      await storage.write(name, content);
      await workOnBackup(scene.tools, first, slow);
    },
  };
  await workOnBackup({ ...scene.tools, storage: late }, second, quick);
  const made = (await scene.backupOf(asked))!;
  expect(made).toMatchObject({ state: "successful", attempts: 2 });
  expect(
    createHash("sha256")
      .update(await readFile(scene.fileOf(made)))
      .digest("hex"),
  ).toBe(made.sha256);
  expect((await readdir(scene.folderOf())).filter((name) => name.startsWith(asked))).toEqual([basename(scene.fileOf(made))]);
  expect(await readdir(scene.tools.stagingDir)).toEqual([]);
  scene.startLoop();
});

test("files that a dead worker had unpacked are gone once another one has made the backup", async () => {
  const { id } = await scene.runWorkspace();
  const { db } = scene.fleet.database;
  await scene.stopLoop();
  const { id: asked } = await requestBackup(db, await scene.fleet.row(id), "manual", systemClock.now());
  const claim = async (worker: string) => (await claimBackups(db, worker, new Date(), 100)).find((row) => row.id === asked)!;
  await claim(newId());
  const opened = join(scene.tools.stagingDir, `${asked}-1`);
  await mkdir(opened, { recursive: true });
  await writeFile(join(opened, "database.sqlite"), "what a customer stored");
  await db
    .update(backups)
    .set({ leaseUntil: after(new Date(), -1_000) })
    .where(eq(backups.id, asked));
  const worker = newId();
  await workOnBackup(scene.tools, await claim(worker), worker);
  expect(await scene.backupOf(asked)).toMatchObject({ state: "successful", attempts: 2 });
  expect(await readdir(scene.tools.stagingDir)).toEqual([]);
  scene.startLoop();
});

test("a backup names the version of its contents, and none is made while a new version may be migrating them", async () => {
  const { id } = await scene.runWorkspace();
  const { db } = scene.fleet.database;
  const { id: asked } = await requestBackup(db, { ...(await scene.fleet.row(id)), observedVersion: "1.9.0" }, "manual", systemClock.now());
  expect((await scene.backupOf(asked))!.engineVersion).toBe("1.9.0");
  const update = (await insertUpdate(db, { workspaceId: id, fromVersion: "1.9.0", toVersion: "2.0.0", askedBy: "owner" }, new Date()))!;
  await changeUpdate(db, update.id, { snapshotAt: new Date() });
  await db
    .update(workspaces)
    .set({ reconcileAt: after(new Date(), hourMs) })
    .where(eq(workspaces.id, id));
  scene.wake();
  await vi.waitFor(
    async () =>
      expect(await scene.backupOf(asked)).toMatchObject({ state: "waiting", detail: expect.stringContaining("changing its version") }),
    { timeout: 20_000 },
  );
  await changeUpdate(db, update.id, { state: "successful", finishedAt: new Date() });
  await db.update(backups).set({ dueAt: new Date() }).where(eq(backups.id, asked));
  expect(await scene.untilBackup(asked, "successful")).toMatchObject({ engineVersion: "2.0.0" });
});

test("a backup cannot be read with a new key alone, but can with the earlier key added", async () => {
  const { id } = await scene.runWorkspace();
  const made = await scene.untilBackup((await scene.request(id)).id, "successful");
  const workspace = await scene.workspaceOf(id);
  // Like an unpaid one, because a workspace that stopped in any other way would be started again.
  const pausedLine = { event: "subscription-paused", message: say("subscriptionPaused", { days: 30 }) } as const;
  await scene.fleet.database.db.transaction((tx) => setDesiredState(tx, workspace.accountId, "stopped", pausedLine, new Date()));
  await scene.fleet.until(id, (row) => row.observedState === "stopped");
  const next = createSecrets("another key, long enough to be one as well");
  await expect(createBackups({ ...scene.tools, keys: createBackupKeys(next) }).restore(workspace, made.id)).rejects.toMatchObject({
    code: "damaged",
    message: expect.stringContaining("does not have"),
  });
  const both = createBackupKeys(next, [createSecrets("a key for tests, long enough to be one")]);
  await createBackups({ ...scene.tools, keys: both }).restore(workspace, made.id);
});
