/** Changes of version over simulated workspaces: the real loop, database, backups and gateway. */
import { and, eq, isNull } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { backups, restores, workspaces, workspaceUpdates } from "#database/tables.ts";
import { beginRemoval } from "#domain/backups/remove-backup.ts";
import { newestRestore } from "#domain/backups/restores/restore-store.ts";
import { listFailedVersions, newestUpdate } from "#domain/updates/update-store.ts";
import { renewWorkspace, requestDeletion } from "#domain/workspaces/desired/renew-workspace.ts";
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import { newId } from "#platform/ids.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import { askFor, breakVersion, commandOf, launched, settled, subjects, updateOf } from "#testing/fleet/update-scene.ts";
import { EngineInstallFailure } from "../engines/engine.ts";

test("an update makes a backup, starts the new version, and tells the owner", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  await askFor(fleet, id, "2.0.0", "2.1.0");
  await fleet.until(id, settled("2.1.0"));
  await vi.waitFor(async () => expect((await updateOf(fleet, id)).state).toBe("successful"), { timeout: 20_000 });
  expect(commandOf(fleet, id)).toBe("2.1.0");
  const { update, keptUntil } = (await newestUpdate(fleet.database.db, id))!;
  expect(update).toMatchObject({ fromVersion: "2.0.0", toVersion: "2.1.0", state: "successful", reason: null });
  expect(keptUntil).not.toBeNull();
  expect((await fleet.journal(id)).slice(-4)).toEqual(["update-started", "started", "online", "updated"]);
  expect(await subjects(fleet)).toEqual(["Your workspace now runs Test engine 2.1.0"]);
});

test("an owner who switched these mails off gets none about an update that worked, and one about the way back", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  await fleet.database.pool.query("update users set muted_mails = '[\"updates\"]'");
  await askFor(fleet, id, "2.0.0", "2.1.0");
  await vi.waitFor(async () => expect((await updateOf(fleet, id)).state).toBe("successful"), { timeout: 20_000 });
  expect(await subjects(fleet)).toEqual([]);
  const { backupId } = await updateOf(fleet, id);
  await askFor(fleet, id, "2.1.0", "2.0.0", backupId!);
  await vi.waitFor(async () => expect(await subjects(fleet)).toEqual(["Your workspace is back on Test engine 2.0.0"]), { timeout: 20_000 });
});

test("a change of the version column alone, as the settings make it, is an update with the same care", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  await fleet.database.db
    .update(workspaces)
    .set({ desiredVersion: "2.1.0", generation: 2, reconcileAt: new Date(), updatedAt: new Date() })
    .where(eq(workspaces.id, id));
  await fleet.until(id, settled("2.1.0"));
  await vi.waitFor(
    async () => expect(await updateOf(fleet, id)).toMatchObject({ askedBy: "owner", state: "successful", backupId: expect.any(String) }),
    { timeout: 20_000 },
  );
});

test("the workspace keeps running while the release is installed", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  fleet.engine.installed.delete("2.1.0");
  let finish: () => void = () => undefined;
  const install = fleet.engine.install;
  fleet.engine.install = async (version, onProgress) => {
    onProgress(40);
    await new Promise<void>((resolve) => (finish = resolve));
    await install(version, onProgress);
  };
  await askFor(fleet, id, "2.0.0", "2.1.0");
  await fleet.until(id, (row) => row.progressStep === "install-engine");
  expect(await fleet.visit("acme")).toBe(true);
  expect(commandOf(fleet, id)).toBe("2.0.0");
  await vi.waitFor(
    () => {
      finish();
      expect(fleet.engine.installed.has("2.1.0")).toBe(true);
    },
    { timeout: 20_000 },
  );
  await fleet.until(id, settled("2.1.0"));
});

test("a release that can't be installed is given up, and nothing was stopped", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  fleet.engine.installed.delete("2.1.0");
  fleet.engine.installFails = new EngineInstallFailure("no_room", "the disk is full");
  const { instance } = fleet.world.get(id).run!;
  await askFor(fleet, id, "2.0.0", "2.1.0");
  await vi.waitFor(
    async () =>
      expect(await updateOf(fleet, id)).toMatchObject({ state: "failed", reason: expect.stringContaining("could not be installed") }),
    { timeout: 20_000 },
  );
  await fleet.until(id, settled("2.0.0"));
  expect(await fleet.journal(id)).toContain("update-failed");
  expect(await subjects(fleet)).toEqual(["The update to Test engine 2.1.0 was undone"]);
  expect(fleet.world.get(id).run!.instance).toBe(instance);
});

test("a setting that was changed together with a version that can't be installed takes effect", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  fleet.engine.installed.delete("2.1.0");
  fleet.engine.installFails = new EngineInstallFailure("no_room", "the disk is full");
  await fleet.database.db
    .update(workspaces)
    .set({ desiredVersion: "2.1.0", timezone: "Asia/Tokyo", generation: 2, reconcileAt: new Date(), updatedAt: new Date() })
    .where(eq(workspaces.id, id));
  await vi.waitFor(async () => expect(await updateOf(fleet, id)).toMatchObject({ state: "failed" }), { timeout: 20_000 });
  await fleet.until(id, (row) => settled("2.0.0")(row) && row.observedGeneration === 2);
  expect(fleet.world.get(id).run!.spec.env["TZ"]).toBe("Asia/Tokyo");
});

test("the backup before an update cannot be removed while the update is open, and an update without it makes no second one", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const id = await launched(fleet);
  const mend = breakVersion(fleet, "2.1.0");
  const spoil = setInterval(() => {
    if (commandOf(fleet, id) === "2.1.0") fleet.world.get(id).storage.set("things/flows.json", "migrated");
  }, 1);
  try {
    await askFor(fleet, id, "2.0.0", "2.1.0");
    const { backupId } = await vi.waitFor(
      async () => {
        const update = await updateOf(fleet, id);
        expect(update).toMatchObject({ state: "running", backupId: expect.any(String), snapshotAt: expect.any(Date) });
        return update;
      },
      { timeout: 20_000, interval: 5 },
    );
    expect(await db.transaction((tx) => beginRemoval(tx, backupId!, new Date()))).toBe("needed");
    // By hand, bypassing all checks.
    await db.delete(backups).where(eq(backups.id, backupId!));
    await vi.waitFor(
      async () =>
        expect(await updateOf(fleet, id)).toMatchObject({ state: "failed", reason: expect.stringContaining("cannot be restored") }),
      { timeout: 30_000 },
    );
  } finally {
    clearInterval(spoil);
  }
  expect(await db.select().from(backups).where(eq(backups.workspaceId, id))).toEqual([]);
  expect(fleet.world.get(id).storage.get("things/flows.json")).toBe("migrated");
  expect(await fleet.row(id)).toMatchObject({ desiredVersion: "2.1.0", observedVersion: "2.1.0" });
  mend();
  await fleet.until(id, settled("2.1.0"));
});

test("changes open when a workspace is deleted do not affect the next one, which offers no rollback to the deleted one's data", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const id = await launched(fleet);
  const { accountId } = await fleet.row(id);
  await askFor(fleet, id, "2.0.0", "2.1.0");
  await vi.waitFor(async () => expect((await updateOf(fleet, id)).state).toBe("successful"), { timeout: 20_000 });
  const { backupId } = await updateOf(fleet, id);
  // An installation that does not end, and a restore that no worker has begun.
  fleet.engine.install = () => new Promise(() => undefined);
  await askFor(fleet, id, "2.1.0", "2.2.0");
  await db.insert(restores).values({ id: newId(), workspaceId: id, life: 1, backupId: backupId!, actor: "Ada", createdAt: new Date() });
  await db.transaction((tx) => requestDeletion(tx, accountId, new Date()));
  const open = async () => [
    ...(await db
      .select()
      .from(workspaceUpdates)
      .where(and(eq(workspaceUpdates.workspaceId, id), isNull(workspaceUpdates.finishedAt)))),
    ...(await db
      .select()
      .from(restores)
      .where(and(eq(restores.workspaceId, id), isNull(restores.finishedAt)))),
  ];
  expect(await open()).toEqual([]);
  await fleet.until(id, (row) => row.observedState === "deleted" && row.leaseOwner === null);
  // As left by older programs.
  await db.insert(restores).values({ id: newId(), workspaceId: id, life: 1, backupId: backupId!, actor: "Ada", createdAt: new Date() });
  await db.insert(workspaceUpdates).values({
    id: newId(),
    workspaceId: id,
    life: 1,
    fromVersion: "2.0.0",
    toVersion: "2.1.0",
    askedBy: "owner",
    backupId,
    snapshotAt: new Date(),
    startedAt: new Date(),
  });
  await db.transaction((tx) => renewWorkspace(tx, accountId, { desiredVersion: "2.1.0", timezone: "Etc/UTC", memoryMb: 512 }, new Date()));
  await fleet.until(id, settled("2.1.0"));
  await vi.waitFor(async () => expect((await fleet.journal(id)).at(-1)).toBe("online"), 20_000);
  expect(await open()).toEqual([]);
  expect(fleet.world.get(id).storage.get("things/flows.json")).toBeUndefined();
  expect(await newestUpdate(db, id)).toBeNull();
  expect(await newestRestore(db, id)).toBeNull();
  expect((await listFailedVersions(db, [id])).size).toBe(0);
  // It may change its version like any other.
  await askFor(fleet, id, "2.1.0", "2.0.0");
});

test("a stop ends changes that have not begun, and an update with its snapshot continues", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const id = await launched(fleet);
  const { accountId } = await fleet.row(id);
  const want = (state: "running" | "stopped") =>
    db.transaction((tx) => setDesiredState(tx, accountId, state, { event: "paid", message: say("paid") }, new Date()));
  const stopped = () => fleet.until(id, (row) => row.observedState === "stopped" && row.leaseOwner === null);
  const { install } = fleet.engine;
  let finish: () => void = () => undefined;
  fleet.engine.installed.delete("2.1.0");
  fleet.engine.install = (version, onProgress) =>
    new Promise<void>((resolve) => (finish = resolve)).then(() => install(version, onProgress));
  await askFor(fleet, id, "2.0.0", "2.1.0");
  await fleet.until(id, (row) => row.progressStep === "install-engine");
  await want("stopped");
  await stopped();
  expect(await updateOf(fleet, id)).toMatchObject({ state: "failed", reason: expect.stringContaining("was stopped before this began") });
  expect((await fleet.row(id)).desiredVersion).toBe("2.0.0");
  expect((await listFailedVersions(db, [id])).size).toBe(0);
  await want("running");
  await fleet.until(id, settled("2.0.0"));

  finish();
  await vi.waitFor(() => expect(fleet.engine.installed.has("2.1.0")).toBe(true), 20_000);
  const mend = breakVersion(fleet, "2.1.0");
  await askFor(fleet, id, "2.0.0", "2.1.0");
  const { backupId } = await vi.waitFor(
    async () => {
      const update = await updateOf(fleet, id);
      expect(update).toMatchObject({ state: "running", backupId: expect.any(String) });
      return update;
    },
    { timeout: 20_000, interval: 5 },
  );
  await want("stopped");
  await stopped();
  fleet.world.get(id).storage.set("things/flows.json", "migrated");
  expect(await updateOf(fleet, id)).toMatchObject({ state: "running", backupId });
  await want("running");
  await vi.waitFor(async () => expect((await updateOf(fleet, id)).state).toBe("rolled-back"), { timeout: 30_000 });
  mend();
  await fleet.until(id, settled("2.0.0"));
  expect(fleet.world.get(id).storage.get("things/flows.json")).toBe("as it was");
  const made = await db.select().from(backups).where(eq(backups.workspaceId, id));
  expect(made.filter(({ kind }) => kind === "before-update")).toHaveLength(1);
});

test("without a backup there is no update", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  fleet.world.get(id).storage.set("things/count.json", "no JSON");
  await askFor(fleet, id, "2.0.0", "2.1.0");
  await vi.waitFor(
    async () =>
      expect(await updateOf(fleet, id)).toMatchObject({ state: "failed", reason: expect.stringContaining("No backup could be made") }),
    { timeout: 30_000 },
  );
  await fleet.until(id, settled("2.0.0"));
  expect(commandOf(fleet, id)).toBe("2.0.0");
});

test("without room for a rollback an update does not begin and says so, and the workspace keeps running", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  fleet.world.get(id).lacksRoom = true;
  await askFor(fleet, id, "2.0.0", "2.1.0");
  await vi.waitFor(
    async () =>
      expect(await updateOf(fleet, id)).toMatchObject({
        state: "failed",
        snapshotAt: null,
        reason: expect.stringContaining("enough space for the backup that a rollback needs"),
      }),
    { timeout: 20_000 },
  );
  await fleet.until(id, settled("2.0.0"));
  expect(await fleet.visit("acme")).toBe(true);
  expect(await fleet.database.db.select().from(backups).where(eq(backups.workspaceId, id))).toEqual([]);
  fleet.world.get(id).lacksRoom = false;
  await askFor(fleet, id, "2.0.0", "2.1.0");
  await fleet.until(id, settled("2.1.0"));
});

test("of two simultaneous changes one is refused and leaves no trace", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  const asked = await Promise.allSettled([askFor(fleet, id, "2.0.0", "2.1.0"), askFor(fleet, id, "2.0.0", "2.1.0")]);
  expect(asked.filter(({ status, ...rest }) => status === "fulfilled" && (rest as { value?: unknown }).value !== null)).toHaveLength(1);
  await fleet.until(id, settled("2.1.0"));
});

test("if a worker dies at any moment of an update, the next one completes it once", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  for (let round = 0; round < 6; round++) {
    const [from, to] = round % 2 === 0 ? ["2.0.0", "2.1.0"] : ["2.1.0", "2.0.0"];
    fleet.engine.installed.add(to!);
    await askFor(fleet, id, from!, to!);
    // As if killed: in the middle of its work it loses the row, and a while later any worker can take it.
    await new Promise((resolve) => setTimeout(resolve, round * 25));
    await fleet.database.pool.query(
      "update workspaces set lease_owner = gen_random_uuid(), lease_until = clock_timestamp() + interval '1 second', reconcile_at = now() where id = $1",
      [id],
    );
    await fleet.until(id, settled(to!));
    await vi.waitFor(async () => expect(await updateOf(fleet, id)).toMatchObject({ toVersion: to, state: "successful" }), {
      timeout: 20_000,
    });
  }
  expect((await subjects(fleet)).length).toBe(6);
});
