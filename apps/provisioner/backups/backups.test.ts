/** Backups and restores over simulated workspaces: the real loops, database, encryption and storage. */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { backups, restores, workspaceJournal, workspaces } from "#database/tables.ts";
import { claimBackups } from "#domain/backups/backup-queue.ts";
import { readForBackup } from "#domain/backups/workspace-for-backup.ts";
import { requestBackup } from "#domain/backups/request-backup.ts";
import { insertRestore } from "#domain/backups/restore-store.ts";
import { createBackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import { after, dayMs, hourMs, systemClock } from "#platform/clock.ts";
import { changeUpdate, insertUpdate } from "#domain/updates/update-store.ts";
import { beginStory } from "#domain/workspaces/stories/begin-story.ts";
import { newId } from "#platform/ids.ts";
import { createSecrets } from "#platform/secrets.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { startBackupLoop, type BackupLoop } from "./backup-loop.ts";
import { createBackups } from "./create-backups.ts";
import { sweepAbandoned, sweepBackups } from "./sweep-backups.ts";
import { workOnBackup } from "./work-on-backup.ts";

let fleet: TestFleet;
let loop: BackupLoop;
let names = 0;

beforeAll(async () => {
  fleet = await createTestFleet();
  fleet.startLoop();
  loop = startBackupLoop(fleet.backupTools);
});
afterAll(async () => {
  await loop.stop();
  await fleet.close();
});

const counts = { workflows: 3, credentials: 2, executions: 1 };

/** An online workspace with some content. */
async function runWorkspace(): Promise<{ id: string; things: Map<string, string> }> {
  const id = await fleet.want(`backed-up-${(names += 1)}`);
  await fleet.until(id, (row) => row.observedState === "online");
  const things = fleet.world.get(id).storage;
  things.set("things/count.json", JSON.stringify(counts));
  things.set("things/flows.json", "as it was");
  things.set("counted.json", "not of the workspace");
  return { id, things };
}

const tools = () => fleet.backupTools;
const workspaceOf = async (id: string) => (await readForBackup(fleet.database.db, id))!;
const backupOf = async (id: string) => (await fleet.database.db.select().from(backups).where(eq(backups.id, id)))[0];
const fileOf = ({ storedAs }: { storedAs: string | null }) => join(tools().storage.place, storedAs!);
const folderOf = () => join(tools().storage.place, "backups");

async function untilBackup(id: string, state: string) {
  return vi.waitFor(
    async () => {
      loop.wake();
      const row = await backupOf(id);
      if (row?.state !== state) throw new Error(`not yet: ${JSON.stringify(row)}`);
      return row;
    },
    { timeout: 20_000, interval: 50 },
  );
}

async function request(id: string) {
  const now = systemClock.now();
  const row = await requestBackup(fleet.database.db, await fleet.row(id), "manual", now);
  loop.wake();
  return row;
}

test("a requested backup is made, opened and counted, and is unreadable in the storage", async () => {
  const { id } = await runWorkspace();
  const asked = await request(id);
  expect((await request(id)).id).toBe(asked.id);
  const made = await untilBackup(asked.id, "successful");
  expect(made).toMatchObject({ ...counts, kind: "manual", engineVersion: "2.0.0", leaseOwner: null, dueAt: null, reason: null });
  expect(made.verifiedAt).toEqual(expect.any(Date));
  expect(made.keptUntil!.getTime()).toBeGreaterThan(Date.now() + 2 * dayMs);
  const stored = await readFile(fileOf(made));
  expect(stored.length).toBe(made.size);
  expect(stored.includes("as it was")).toBe(false);
  expect(await readdir(tools().stagingDir)).toEqual([]);
});

test("a name that is too long is listed up to the limit, and the backup still succeeds", async () => {
  const { id, things } = await runWorkspace();
  const start = `things/${"a".repeat(292)}`;
  things.set(start + "\u{1F600}".repeat(600), "x");
  const made = await untilBackup((await request(id)).id, "successful");
  expect(made.leftOut).toEqual({ total: 1, names: [{ name: `${start}\uFFFD`, why: "name" }] });
});

test("a restore stops the workspace, backs up its current files, puts the backup in place and touches no other file", async () => {
  const { id, things } = await runWorkspace();
  const { id: backupId } = await untilBackup((await request(id)).id, "successful");
  things.set("things/flows.json", "spoilt");
  things.set("things/new.json", "came later");
  things.set("counted.json", "grew");
  await fleet.database.db
    .update(workspaces)
    .set({ profilePassedAt: systemClock.now(), ownerPassed: "ada@example.com Ada" })
    .where(eq(workspaces.id, id));
  const before = fleet.world.get(id).run!.instance;
  const wish = await insertRestore(fleet.database.db, { workspaceId: id, backupId, actor: "Ada" }, systemClock.now());
  expect(await insertRestore(fleet.database.db, { workspaceId: id, backupId, actor: "Ada" }, systemClock.now())).toBeNull();
  const restored = await vi.waitFor(
    async () => {
      const [row] = await fleet.database.db.select().from(restores).where(eq(restores.id, wish!.id));
      expect(row!.state).toBe("successful");
      return row!;
    },
    { timeout: 20_000, interval: 50 },
  );
  await fleet.until(id, (row) => row.observedState === "online" && row.gatewayOpen);
  const held = fleet.world.get(id);
  expect(Object.fromEntries([...held.storage].filter(([name]) => name.startsWith("things") || name === "counted.json"))).toEqual({
    "things/count.json": JSON.stringify(counts),
    "things/flows.json": "as it was",
    "counted.json": "grew",
  });
  expect(held.run!.instance).not.toBe(before);
  expect(await backupOf(restored.safetyBackupId!)).toMatchObject({ kind: "before-restore", state: "successful", ...counts });
  // The old database may not know what the tool was told after the backup.
  await vi.waitFor(() => expect(fleet.engine.profiles.get(id)).toHaveLength(2), { timeout: 20_000 });
  expect(await fleet.journal(id)).toEqual(expect.arrayContaining(["restore-started", "restored", "online"]));
  expect(await fleet.journal(id)).not.toContain("died");
});

test("a backup that was changed in the storage is never restored, and the workspace starts again unchanged", async () => {
  const { id, things } = await runWorkspace();
  const made = await untilBackup((await request(id)).id, "successful");
  const backupId = made.id;
  const file = fileOf(made);
  const stored = await readFile(file);
  stored[stored.length - 20]! ^= 1;
  await writeFile(file, stored);
  things.set("things/flows.json", "newest");
  const wish = await insertRestore(fleet.database.db, { workspaceId: id, backupId, actor: "Ada" }, systemClock.now());
  await vi.waitFor(
    async () => {
      const [row] = await fleet.database.db.select().from(restores).where(eq(restores.id, wish!.id));
      expect(row).toMatchObject({ state: "failed", reason: expect.stringContaining("could not be opened") });
    },
    { timeout: 20_000, interval: 50 },
  );
  await fleet.until(id, (row) => row.observedState === "online");
  expect(fleet.world.get(id).storage.get("things/flows.json")).toBe("newest");
});

test("a copy that cannot be opened, is too large or does not fit is no backup, gives the reason, and leaves no files", async () => {
  const { id, things } = await runWorkspace();
  const workspace = await workspaceOf(id);
  things.set("things/count.json", "not what it should be");
  await expect(createBackups(tools()).make(workspace, "before-update")).rejects.toMatchObject({ code: "damaged" });
  things.set("things/count.json", JSON.stringify(counts));
  await expect(createBackups({ ...tools(), limits: { bytes: 10, files: 100 } }).make(workspace, "before-update")).rejects.toMatchObject({
    code: "too_large",
  });
  const { storage } = tools();
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
  await expect(createBackups({ ...tools(), storage: full }).make(workspace, "before-update")).rejects.toMatchObject({
    code: "no_room",
    reason: expect.stringContaining("no room"),
  });
  const rows = await fleet.database.db.select().from(backups).where(eq(backups.workspaceId, id));
  expect(rows.map(({ state }) => state)).toEqual(["failed", "failed", "failed"]);
  const left = await readdir(folderOf());
  expect(rows.some((row) => left.some((name) => name.startsWith(row.id)))).toBe(false);
});

test("files that a restore replaces are kept for operators even if they cannot be opened, and the restore continues", async () => {
  const { id, things } = await runWorkspace();
  const { id: backupId } = await untilBackup((await request(id)).id, "successful");
  things.set("things/count.json", "damaged");
  const wish = await insertRestore(fleet.database.db, { workspaceId: id, backupId, actor: "Ada" }, systemClock.now());
  await vi.waitFor(
    async () => {
      const [row] = await fleet.database.db.select().from(restores).where(eq(restores.id, wish!.id));
      expect(row).toMatchObject({ state: "successful", safetyBackupId: null });
    },
    { timeout: 20_000, interval: 50 },
  );
  expect(fleet.world.get(id).storage.get("things/count.json")).toBe(JSON.stringify(counts));
  const kept = (await fleet.database.db.select().from(backups).where(eq(backups.workspaceId, id))).find(
    ({ kind }) => kind === "before-restore",
  );
  expect(kept).toMatchObject({ state: "failed", size: expect.any(Number) });
  expect(await readdir(folderOf())).toContain(basename(fileOf(kept!)));
});

test("a stopped workspace is backed up as it is, and cannot start meanwhile", async () => {
  const { id } = await runWorkspace();
  await fleet.database.db
    .update(workspaces)
    .set({ desiredState: "stopped", reconcileAt: systemClock.now(), updatedAt: systemClock.now() })
    .where(eq(workspaces.id, id));
  await fleet.until(id, (row) => row.observedState === "stopped" && row.leaseOwner === null);
  await untilBackup((await request(id)).id, "successful");
  expect((await fleet.row(id)).leaseOwner).toBeNull();
});

test("a backup whose worker died is made by another worker; one begun by a step is marked as failed", async () => {
  const { id } = await runWorkspace();
  const { db } = fleet.database;
  const dead = "0199a000-0000-7000-8000-00000000dead";
  const row = { ...(await workspaceOf(id)), id: undefined };
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
  await sweepBackups(tools());
  expect(await backupOf("0199a000-0000-7000-8000-000000000a02")).toMatchObject({
    state: "failed",
    detail: expect.stringContaining("died"),
  });
  expect(await untilBackup("0199a000-0000-7000-8000-000000000a01", "successful")).toMatchObject({ attempts: 2 });
});

test("two workers that take the same backup after a lapsed lease write to two names, and the recorded one is whole", async () => {
  const { id } = await runWorkspace();
  const { db } = fleet.database;
  await loop.stop();
  const { id: asked } = await requestBackup(db, await fleet.row(id), "manual", systemClock.now());
  const claim = async (worker: string) => (await claimBackups(db, worker, new Date(), 100)).find((row) => row.id === asked)!;
  const [slow, quick] = [newId(), newId()];
  const first = await claim(slow);
  await db
    .update(backups)
    .set({ leaseUntil: after(new Date(), -1_000) })
    .where(eq(backups.id, asked));
  const second = await claim(quick);
  const { storage } = tools();
  // The worker without the lease stores all of its copy between the other's writing and reading back.
  const late = {
    ...storage,
    write: async (name: string, content: Readable) => {
      await storage.write(name, content);
      await workOnBackup(tools(), first, slow);
    },
  };
  await workOnBackup({ ...tools(), storage: late }, second, quick);
  const made = (await backupOf(asked))!;
  expect(made).toMatchObject({ state: "successful", attempts: 2 });
  expect(
    createHash("sha256")
      .update(await readFile(fileOf(made)))
      .digest("hex"),
  ).toBe(made.sha256);
  expect((await readdir(folderOf())).filter((name) => name.startsWith(asked))).toEqual([basename(fileOf(made))]);
  expect(await readdir(tools().stagingDir)).toEqual([]);
  loop = startBackupLoop(fleet.backupTools);
});

test("backups opened by a dead worker are removed; those that a living worker inspects stay", async () => {
  const { id } = await runWorkspace();
  const { db } = fleet.database;
  const row = {
    accountId: (await workspaceOf(id)).accountId,
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
    await mkdir(join(tools().stagingDir, name), { recursive: true });
  await writeFile(join(tools().stagingDir, dead, "database.sqlite"), "what a customer stored");
  await sweepAbandoned(tools());
  expect((await readdir(tools().stagingDir)).filter((name) => name.startsWith("0199a000"))).toEqual([living]);
});

test("a backup names the version of its contents, and none is made while a new version may be migrating them", async () => {
  const { id } = await runWorkspace();
  const { db } = fleet.database;
  const { id: asked } = await requestBackup(db, { ...(await fleet.row(id)), observedVersion: "1.9.0" }, "manual", systemClock.now());
  expect((await backupOf(asked))!.engineVersion).toBe("1.9.0");
  const update = (await insertUpdate(db, { workspaceId: id, fromVersion: "1.9.0", toVersion: "2.0.0", askedBy: "owner" }, new Date()))!;
  await changeUpdate(db, update.id, { snapshotAt: new Date() });
  await db
    .update(workspaces)
    .set({ reconcileAt: after(new Date(), hourMs) })
    .where(eq(workspaces.id, id));
  loop.wake();
  await vi.waitFor(
    async () => expect(await backupOf(asked)).toMatchObject({ state: "waiting", detail: expect.stringContaining("changing its version") }),
    { timeout: 20_000 },
  );
  await changeUpdate(db, update.id, { state: "successful", finishedAt: new Date() });
  await db.update(backups).set({ dueAt: new Date() }).where(eq(backups.id, asked));
  expect(await untilBackup(asked, "successful")).toMatchObject({ engineVersion: "2.0.0" });
});

test("a restore of a newer version than the workspace then has is refused at its turn, and changes nothing", async () => {
  const { id, things } = await runWorkspace();
  const { id: backupId } = await untilBackup((await request(id)).id, "successful");
  things.set("things/flows.json", "newest");
  await fleet.database.db.update(backups).set({ engineVersion: "2.1.0" }).where(eq(backups.id, backupId));
  const wish = await insertRestore(fleet.database.db, { workspaceId: id, backupId, actor: "Ada" }, systemClock.now());
  await vi.waitFor(
    async () => {
      const [row] = await fleet.database.db.select().from(restores).where(eq(restores.id, wish!.id));
      expect(row).toMatchObject({ state: "failed", reason: expect.stringContaining("newer version") });
    },
    { timeout: 20_000, interval: 50 },
  );
  await fleet.until(id, (row) => row.observedState === "online");
  expect(fleet.world.get(id).storage.get("things/flows.json")).toBe("newest");
});

test("a restore shows who requested it and its current step, and is done only once the workspace is online with it", async () => {
  const { id } = await runWorkspace();
  const { id: backupId } = await untilBackup((await request(id)).id, "successful");
  const labels: (string | null)[] = [];
  const watch = setInterval(
    () => void fleet.row(id).then(({ progressLabel }) => labels.at(-1) !== progressLabel && labels.push(progressLabel)),
    3,
  );
  const wish = await insertRestore(fleet.database.db, { workspaceId: id, backupId, actor: "Ada" }, systemClock.now());
  await vi.waitFor(
    async () =>
      expect((await fleet.database.db.select().from(restores).where(eq(restores.id, wish!.id)))[0]).toMatchObject({ state: "successful" }),
    { timeout: 20_000, interval: 50 },
  );
  clearInterval(watch);
  const events = await fleet.journal(id);
  expect(events.slice(events.indexOf("restore-started")).filter((event) => event !== "owner-changed")).toEqual([
    "restore-started",
    "restore-placed",
    "started",
    "online",
    "restored",
  ]);
  const [begun] = await fleet.database.db
    .select()
    .from(workspaceJournal)
    .where(and(eq(workspaceJournal.workspaceId, id), eq(workspaceJournal.event, "restore-started")));
  expect(begun).toMatchObject({ actor: "Ada", message: expect.not.stringContaining("Ada") });
  expect(labels).toContain("Backing up the current data");
  expect(labels.join()).not.toContain("folder and keys");
});

test("if the workspace does not start with the restored backup, the restore ends, so that another can be chosen", async () => {
  const { id } = await runWorkspace();
  const { id: backupId } = await untilBackup((await request(id)).id, "successful");
  const wish = await insertRestore(fleet.database.db, { workspaceId: id, backupId, actor: "Ada" }, systemClock.now());
  const restoreOf = async () => (await fleet.database.db.select().from(restores).where(eq(restores.id, wish!.id)))[0]!;
  const crash = setInterval(() => {
    if (fleet.world.get(id).run) void restoreOf().then(({ placedAt, finishedAt }) => placedAt && !finishedAt && fleet.world.crash(id));
  }, 5);
  await vi.waitFor(
    async () => expect(await restoreOf()).toMatchObject({ state: "failed", reason: expect.stringContaining("does not start with them") }),
    { timeout: 30_000, interval: 50 },
  );
  clearInterval(crash);
  expect(
    await insertRestore(
      fleet.database.db,
      { workspaceId: id, backupId: (await restoreOf()).safetyBackupId!, actor: "Ada" },
      systemClock.now(),
    ),
  ).not.toBeNull();
});

test("when the workspace is stopped, a restore with its files in place is done, and one not yet begun ends with a reason", async () => {
  const { id } = await runWorkspace();
  const { db } = fleet.database;
  const { id: backupId } = await untilBackup((await request(id)).id, "successful");
  const close = async (placedAt: Date | null) => {
    const wish = (
      await db
        .insert(restores)
        .values({ id: newId(), workspaceId: id, backupId, actor: "Ada", placedAt, createdAt: after(new Date(), hourMs) })
        .returning()
    )[0]!;
    await db.transaction((tx) => beginStory(tx, id, "rest", new Date()));
    return (await db.select().from(restores).where(eq(restores.id, wish.id)))[0]!;
  };
  // No worker claims the rows meanwhile.
  await db
    .update(workspaces)
    .set({ reconcileAt: after(new Date(), hourMs) })
    .where(eq(workspaces.id, id));
  expect(await close(new Date())).toMatchObject({ state: "successful", finishedAt: expect.any(Date) });
  expect((await fleet.journal(id)).at(-1)).toBe("restored");
  expect(await fleet.row(id)).toMatchObject({ profilePassedAt: null, ownerPassed: null });
  expect(await close(null)).toMatchObject({ state: "failed", reason: "The workspace was stopped before it began." });
});

test("any number of simultaneous sweeps make one backup a night", async () => {
  const { id } = await runWorkspace();
  await fleet.database.db
    .update(workspaces)
    .set({ createdAt: after(new Date(), -40 * hourMs) })
    .where(eq(workspaces.id, id));
  const nightly = async () =>
    (await fleet.database.db.select().from(backups).where(eq(backups.workspaceId, id))).filter(({ kind }) => kind === "nightly");
  await Promise.all(Array.from({ length: 9 }, () => sweepBackups(tools())));
  expect(await nightly()).toHaveLength(1);
  await untilBackup((await nightly())[0]!.id, "successful");
  await Promise.all(Array.from({ length: 9 }, () => sweepBackups(tools())));
  expect(await nightly()).toHaveLength(1);
});

test("an expired backup stays while an open update names it, and an interrupted removal is completed", async () => {
  const { id } = await runWorkspace();
  const { id: named } = await untilBackup((await request(id)).id, "successful");
  const { id: half } = await untilBackup((await request(id)).id, "successful");
  await untilBackup((await request(id)).id, "successful");
  const update = (await insertUpdate(
    fleet.database.db,
    { workspaceId: id, fromVersion: "1.9.0", toVersion: "2.0.0", askedBy: "owner", backupId: named },
    new Date(),
  ))!;
  // Not the workspace's own update, which its steps would end.
  await fleet.database.db
    .update(workspaces)
    .set({ reconcileAt: after(new Date(), hourMs) })
    .where(eq(workspaces.id, id));
  await fleet.database.db
    .update(backups)
    .set({ keptUntil: after(new Date(), -1_000) })
    .where(eq(backups.id, named));
  await fleet.database.db
    .update(backups)
    .set({ state: "removed", keptUntil: after(new Date(), -1_000) })
    .where(eq(backups.id, half));
  await sweepBackups(tools());
  expect(await backupOf(named)).toMatchObject({ state: "successful" });
  expect(await backupOf(half)).toBeUndefined();
  expect((await readdir(folderOf())).filter((name) => name.startsWith(half))).toEqual([]);
  await changeUpdate(fleet.database.db, update.id, { state: "failed", finishedAt: new Date() });
  await sweepBackups(tools());
  expect(await backupOf(named)).toBeUndefined();
});

test("old backups are removed, but never the last one of an existing workspace", async () => {
  const { id } = await runWorkspace();
  const first = await untilBackup((await request(id)).id, "successful");
  const second = await untilBackup((await request(id)).id, "successful");
  const later = { ...tools(), clock: { now: () => after(systemClock.now(), 40 * dayMs) } };
  await sweepBackups(later);
  expect(await backupOf(first.id)).toBeUndefined();
  expect(await backupOf(second.id)).toMatchObject({ state: "successful" });
  const left = await readdir(folderOf());
  expect([first, second].map((each) => left.includes(basename(fileOf(each))))).toEqual([false, true]);
});

test("an overdue workspace gets its nightly backup, once", async () => {
  const { id } = await runWorkspace();
  await fleet.database.db
    .update(workspaces)
    .set({ createdAt: after(new Date(), -31 * hourMs) })
    .where(eq(workspaces.id, id));
  await sweepBackups(tools());
  await sweepBackups(tools());
  const rows = (await fleet.database.db.select().from(backups).where(eq(backups.workspaceId, id))).filter(({ kind }) => kind === "nightly");
  expect(rows).toHaveLength(1);
  await untilBackup(rows[0]!.id, "successful");
});

test("a workspace that had its nightly backup yesterday waits for its night, however old it is", async () => {
  const { id } = await runWorkspace();
  const { accountId } = await fleet.row(id);
  const noon = new Date();
  noon.setUTCHours(12, 0, 0, 0);
  const change = { createdAt: after(noon, -90 * hourMs), nightlyAt: after(noon, -hourMs), timezone: "Etc/UTC" };
  await fleet.database.db.update(workspaces).set(change).where(eq(workspaces.id, id));
  const row = { accountId, workspaceId: id, kind: "nightly", state: "failed", engine: "n8n", engineVersion: "2.0.0" } as const;
  await fleet.database.db.insert(backups).values({ ...row, id: newId(), createdAt: after(noon, -20 * hourMs) });
  await sweepBackups({ ...tools(), clock: { now: () => noon } });
  expect(await fleet.database.db.select().from(backups).where(eq(backups.workspaceId, id))).toHaveLength(1);
  expect((await fleet.row(id)).nightlyAt.getTime()).toBeGreaterThan(noon.getTime());
});

test("a backup cannot be read with a new key alone, but can with the earlier key added", async () => {
  const { id } = await runWorkspace();
  const made = await untilBackup((await request(id)).id, "successful");
  const workspace = await workspaceOf(id);
  await fleet.backupTools.driver.ensure({
    ...fleet.engine.runSpec(
      {
        id,
        number: workspace.number,
        generation: 1,
        run: false,
        timezone: "UTC",
        memoryMb: 1,
        publicUrl: "",
        panelUrl: "",
        secrets: {},
      } as never,
      "2.0.0",
    ),
    run: false,
  });
  const next = createSecrets("another key, long enough to be one as well");
  await expect(createBackups({ ...tools(), keys: createBackupKeys(next) }).restore(workspace, made.id)).rejects.toMatchObject({
    code: "damaged",
    message: expect.stringContaining("does not have"),
  });
  const both = createBackupKeys(next, [createSecrets("a key for tests, long enough to be one")]);
  await createBackups({ ...tools(), keys: both }).restore(workspace, made.id);
});
