/** Restores of simulated workspaces: the real loops, database, encryption and storage. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { and, eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { backups, restores, workspaceJournal, workspaces } from "#database/tables.ts";
import { say } from "#contract/sentences/say.ts";
import { insertRestore } from "#domain/backups/restores/restore-store.ts";
import { after, hourMs, systemClock } from "#platform/clock.ts";
import { beginStory } from "#domain/workspaces/stories/begin-story.ts";
import { writeJournal } from "#domain/workspaces/workspace-store.ts";
import { newId } from "#platform/ids.ts";
import { counts, useBackupScene } from "#testing/fleet/backup-scene.ts";

const scene = useBackupScene();

test("a restore stops the workspace, backs up its current files, puts the backup in place and touches no other file", async () => {
  const { id, things } = await scene.runWorkspace();
  const { id: backupId } = await scene.untilBackup((await scene.request(id)).id, "successful");
  things.set("things/flows.json", "spoilt");
  things.set("things/new.json", "came later");
  things.set("counted.json", "grew");
  await scene.fleet.database.db
    .update(workspaces)
    .set({ profilePassedAt: systemClock.now(), ownerPassed: "ada@example.com Ada" })
    .where(eq(workspaces.id, id));
  const before = scene.fleet.world.get(id).run!.instance;
  const wish = await insertRestore(scene.fleet.database.db, { workspaceId: id, backupId, actor: "Ada" }, systemClock.now());
  expect(await insertRestore(scene.fleet.database.db, { workspaceId: id, backupId, actor: "Ada" }, systemClock.now())).toBeNull();
  const restored = await vi.waitFor(
    async () => {
      const [row] = await scene.fleet.database.db.select().from(restores).where(eq(restores.id, wish!.id));
      expect(row!.state).toBe("successful");
      return row!;
    },
    { timeout: 20_000, interval: 50 },
  );
  await scene.fleet.until(id, (row) => row.observedState === "online" && row.gatewayOpen);
  const held = scene.fleet.world.get(id);
  expect(Object.fromEntries([...held.storage].filter(([name]) => name.startsWith("things") || name === "counted.json"))).toEqual({
    "things/count.json": JSON.stringify(counts),
    "things/flows.json": "as it was",
    "counted.json": "grew",
  });
  expect(held.run!.instance).not.toBe(before);
  expect(await scene.backupOf(restored.safetyBackupId!)).toMatchObject({ kind: "before-restore", state: "successful", ...counts });
  // The old database may lack what the tool was told after the backup.
  await vi.waitFor(() => expect(scene.fleet.engine.profiles.get(id)).toHaveLength(2), { timeout: 20_000 });
  expect(await scene.fleet.journal(id)).toEqual(expect.arrayContaining(["restore-started", "restored", "online"]));
  expect(await scene.fleet.journal(id)).not.toContain("died");
});

test("a backup that was changed in the storage is never restored, and the workspace starts again unchanged", async () => {
  const { id, things } = await scene.runWorkspace();
  const made = await scene.untilBackup((await scene.request(id)).id, "successful");
  const backupId = made.id;
  const file = scene.fileOf(made);
  const stored = await readFile(file);
  stored[stored.length - 20]! ^= 1;
  await writeFile(file, stored);
  things.set("things/flows.json", "newest");
  const wish = await insertRestore(scene.fleet.database.db, { workspaceId: id, backupId, actor: "Ada" }, systemClock.now());
  await vi.waitFor(
    async () => {
      const [row] = await scene.fleet.database.db.select().from(restores).where(eq(restores.id, wish!.id));
      expect(row).toMatchObject({ state: "failed", reason: expect.stringContaining("could not be opened") });
    },
    { timeout: 20_000, interval: 50 },
  );
  await scene.fleet.until(id, (row) => row.observedState === "online");
  expect(scene.fleet.world.get(id).storage.get("things/flows.json")).toBe("newest");
});

test("files that a restore replaces are kept for operators even if they cannot be opened, and the restore continues", async () => {
  const { id, things } = await scene.runWorkspace();
  const { id: backupId } = await scene.untilBackup((await scene.request(id)).id, "successful");
  things.set("things/count.json", "damaged");
  const wish = await insertRestore(scene.fleet.database.db, { workspaceId: id, backupId, actor: "Ada" }, systemClock.now());
  await vi.waitFor(
    async () => {
      const [row] = await scene.fleet.database.db.select().from(restores).where(eq(restores.id, wish!.id));
      expect(row).toMatchObject({ state: "successful", safetyBackupId: null });
    },
    { timeout: 20_000, interval: 50 },
  );
  expect(scene.fleet.world.get(id).storage.get("things/count.json")).toBe(JSON.stringify(counts));
  const kept = (await scene.fleet.database.db.select().from(backups).where(eq(backups.workspaceId, id))).find(
    ({ kind }) => kind === "before-restore",
  );
  expect(kept).toMatchObject({ state: "failed", size: expect.any(Number) });
  expect(await readdir(scene.folderOf())).toContain(basename(scene.fileOf(kept!)));
});

test("a restore of a newer version than the workspace then has is refused at its turn, and changes nothing", async () => {
  const { id, things } = await scene.runWorkspace();
  const { id: backupId } = await scene.untilBackup((await scene.request(id)).id, "successful");
  things.set("things/flows.json", "newest");
  await scene.fleet.database.db.update(backups).set({ engineVersion: "2.1.0" }).where(eq(backups.id, backupId));
  const wish = await insertRestore(scene.fleet.database.db, { workspaceId: id, backupId, actor: "Ada" }, systemClock.now());
  await vi.waitFor(
    async () => {
      const [row] = await scene.fleet.database.db.select().from(restores).where(eq(restores.id, wish!.id));
      expect(row).toMatchObject({ state: "failed", reason: expect.stringContaining("newer version") });
    },
    { timeout: 20_000, interval: 50 },
  );
  await scene.fleet.until(id, (row) => row.observedState === "online");
  expect(scene.fleet.world.get(id).storage.get("things/flows.json")).toBe("newest");
});

test("a restore shows who requested it and its current step, and is done only once the workspace is online with it", async () => {
  const { id } = await scene.runWorkspace();
  const { id: backupId } = await scene.untilBackup((await scene.request(id)).id, "successful");
  const labels: (string | null)[] = [];
  const watch = setInterval(
    () => void scene.fleet.row(id).then(({ progressLabel }) => labels.at(-1) !== progressLabel && labels.push(progressLabel)),
    3,
  );
  const wish = await insertRestore(scene.fleet.database.db, { workspaceId: id, backupId, actor: "Ada" }, systemClock.now());
  await vi.waitFor(
    async () =>
      expect((await scene.fleet.database.db.select().from(restores).where(eq(restores.id, wish!.id)))[0]).toMatchObject({
        state: "successful",
      }),
    { timeout: 20_000, interval: 50 },
  );
  clearInterval(watch);
  const events = await scene.fleet.journal(id);
  expect(events.slice(events.indexOf("restore-started")).filter((event) => event !== "owner-changed")).toEqual([
    "restore-started",
    "restore-placed",
    "started",
    "online",
    "restored",
  ]);
  const [begun] = await scene.fleet.database.db
    .select()
    .from(workspaceJournal)
    .where(and(eq(workspaceJournal.workspaceId, id), eq(workspaceJournal.event, "restore-started")));
  expect(begun).toMatchObject({ actor: "Ada", message: expect.not.stringContaining("Ada") });
  expect(labels).toContain("Backing up the current data");
  expect(labels.join()).not.toContain("folder and keys");
});

test("if the workspace does not start with the restored backup, the restore ends, so that another can be chosen", async () => {
  const { id } = await scene.runWorkspace();
  const { id: backupId } = await scene.untilBackup((await scene.request(id)).id, "successful");
  const wish = await insertRestore(scene.fleet.database.db, { workspaceId: id, backupId, actor: "Ada" }, systemClock.now());
  const restoreOf = async () => (await scene.fleet.database.db.select().from(restores).where(eq(restores.id, wish!.id)))[0]!;
  const crash = setInterval(() => {
    // It is stopped for the restore. Its next start must not be online before it crashes.
    if (!scene.fleet.world.get(id).run) scene.fleet.world.unresponsive(id, true);
    else void restoreOf().then(({ placedAt, finishedAt }) => placedAt && !finishedAt && scene.fleet.world.crash(id));
  }, 5);
  await vi.waitFor(
    async () => expect(await restoreOf()).toMatchObject({ state: "failed", reason: expect.stringContaining("does not start with them") }),
    { timeout: 30_000, interval: 50 },
  );
  clearInterval(crash);
  scene.fleet.world.unresponsive(id, false);
  expect(
    await insertRestore(
      scene.fleet.database.db,
      { workspaceId: id, backupId: (await restoreOf()).safetyBackupId!, actor: "Ada" },
      systemClock.now(),
    ),
  ).not.toBeNull();
});

test.for([
  { withoutRoom: 5, deaths: 0, state: "successful" },
  { withoutRoom: 8, deaths: 0, state: "failed" },
  { withoutRoom: 7, deaths: 1, state: "successful" },
  { withoutRoom: 0, deaths: 2, state: "failed" },
])("after $withoutRoom starts that a full disk has prevented and $deaths deaths, the restore ends $state", async (before) => {
  const { withoutRoom, deaths, state } = before;
  const { id } = await scene.runWorkspace();
  const { db } = scene.fleet.database;
  const { id: backupId } = await scene.untilBackup((await scene.request(id)).id, "successful");
  const [wish] = await db
    .insert(restores)
    .values({
      id: newId(),
      workspaceId: id,
      life: 1,
      backupId,
      actor: "Ada",
      state: "running",
      placedAt: new Date(),
      createdAt: new Date(),
    })
    .returning();
  for (let line = 0; line < withoutRoom; line += 1)
    await writeJournal(db, id, { event: "no-room", message: say("startFailed"), detail: "no space left" }, new Date());
  const reasonCode = deaths > 0 ? "start-delayed" : "no-room";
  await db
    .update(workspaces)
    .set({ observedState: "offline", reasonCode, failures: withoutRoom + deaths, reconcileAt: new Date() })
    .where(eq(workspaces.id, id));
  await vi.waitFor(async () => expect((await db.select().from(restores).where(eq(restores.id, wish!.id)))[0]!.state).toBe(state), {
    timeout: 20_000,
    interval: 50,
  });
});

test("when the workspace is stopped, a restore with its files in place is done, and one not yet begun ends with a reason", async () => {
  const { id } = await scene.runWorkspace();
  const { db } = scene.fleet.database;
  const { id: backupId } = await scene.untilBackup((await scene.request(id)).id, "successful");
  const close = async (placedAt: Date | null) => {
    const wish = (
      await db
        .insert(restores)
        .values({ id: newId(), workspaceId: id, life: 1, backupId, actor: "Ada", placedAt, createdAt: after(new Date(), hourMs) })
        .returning()
    )[0]!;
    await db.transaction((tx) => beginStory(tx, id, "rest", new Date()));
    return (await db.select().from(restores).where(eq(restores.id, wish.id)))[0]!;
  };
  // No worker claims the rows during this.
  await db
    .update(workspaces)
    .set({ reconcileAt: after(new Date(), hourMs) })
    .where(eq(workspaces.id, id));
  expect(await close(new Date())).toMatchObject({ state: "successful", finishedAt: expect.any(Date) });
  expect((await scene.fleet.journal(id)).at(-1)).toBe("restored");
  expect(await scene.fleet.row(id)).toMatchObject({ profilePassedAt: null, ownerPassed: null });
  expect(await close(null)).toMatchObject({ state: "failed", reason: "The workspace was stopped before this began." });
});
