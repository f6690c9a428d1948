/** Returning to an earlier version, automatically or at the owner's request. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { workspaces, workspaceUpdates } from "#database/tables.ts";
import { storedByTry } from "#domain/backups/stored-backup.ts";
import { beginStory } from "#domain/workspaces/stories/begin-story.ts";
import { requestUpdate } from "#domain/updates/request-update.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { askFor, breakVersion, commandOf, launched, settled, subjects, updateOf } from "#testing/fleet/update-scene.ts";
import { createBackups } from "../backups/create-backups.ts";

test("a version that dies is rolled back automatically with its data, and not tried again", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  const mend = breakVersion(fleet, "2.1.0");
  // Damage that a broken version does to the files before it dies.
  const spoil = setInterval(() => {
    if (commandOf(fleet, id) === "2.1.0") fleet.world.get(id).storage.set("things/flows.json", "spoilt");
  }, 1);
  try {
    await askFor(fleet, id, "2.0.0", "2.1.0");
    await vi.waitFor(async () => expect(await updateOf(fleet, id)).toMatchObject({ state: "rolled-back" }), { timeout: 30_000 });
  } finally {
    clearInterval(spoil);
  }
  const row = await fleet.until(id, settled("2.0.0"));
  mend();
  expect(row.desiredVersion).toBe("2.0.0");
  expect(fleet.world.get(id).storage.get("things/flows.json")).toBe("as it was");
  expect(await fleet.journal(id)).toContain("update-rolled-back");
  expect(await fleet.visit("acme")).toBe(true);
  expect(await subjects(fleet)).toEqual(["The update to Test engine 2.1.0 was undone"]);
});

test("a version that never answers is rolled back, too", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop({ readyTimeoutMs: 500 });
  fleet.engine.installed.add("2.1.0");
  const id = await fleet.want("acme");
  await fleet.until(id, settled("2.0.0"));
  fleet.world.get(id).storage.set("things/count.json", '{"workflows":1,"credentials":0,"executions":0}');
  const hang = setInterval(() => fleet.world.unresponsive(id, commandOf(fleet, id) === "2.1.0"), 1);
  try {
    await askFor(fleet, id, "2.0.0", "2.1.0");
    await vi.waitFor(async () => expect(await updateOf(fleet, id)).toMatchObject({ state: "rolled-back" }), { timeout: 30_000 });
  } finally {
    clearInterval(hang);
    fleet.world.unresponsive(id, false);
  }
  await fleet.until(id, settled("2.0.0"));
});

/** An update whose new version has changed the files and never answers; its worker has ended, and the host was restarted. */
async function stoppedInUpdate(fleet: TestFleet) {
  const first = fleet.startLoop();
  fleet.engine.installed.add("2.1.0");
  const id = await fleet.want("acme");
  await fleet.until(id, settled("2.0.0"));
  const files = fleet.world.get(id);
  files.storage.set("things/count.json", '{"workflows":1,"credentials":0,"executions":0}');
  files.storage.set("things/flows.json", "as it was");
  const hang = setInterval(() => fleet.world.workspaces.has(id) && fleet.world.unresponsive(id, commandOf(fleet, id) === "2.1.0"), 1);
  await askFor(fleet, id, "2.0.0", "2.1.0");
  await vi.waitFor(() => expect(commandOf(fleet, id)).toBe("2.1.0"), { timeout: 20_000 });
  clearInterval(hang);
  await first.stop();
  fleet.world.reboot();
  files.storage.set("things/flows.json", "changed by the new version");
  const makeDue = () => fleet.database.db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, id));
  return { id, files, makeDue };
}

test("an update whose files are missing is not rolled back: nothing is put in their place, and it continues once they are back", async () => {
  await using fleet = await createTestFleet();
  const { id, files, makeDue } = await stoppedInUpdate(fleet);
  fleet.world.workspaces.delete(id);

  const loop = fleet.startLoop();
  for (let failures = 1; failures <= 4; failures += 1) {
    await makeDue();
    loop.wake();
    await fleet.until(id, (row) => row.reasonCode === "files-missing" && row.failures >= failures && row.leaseOwner === null);
    expect(fleet.world.workspaces.has(id)).toBe(false);
  }
  fleet.world.workspaces.set(id, files);
  fleet.world.unresponsive(id, true);
  await makeDue();
  loop.wake();
  // It crashes once, which is one failure of the new version and not the fifth.
  await fleet.until(id, (row) => row.address !== null);
  fleet.world.crash(id);
  await vi.waitFor(async () => expect(await fleet.journal(id)).toContain("died"), { timeout: 20_000 });
  fleet.world.unresponsive(id, false);
  await fleet.until(id, settled("2.1.0"));
  await vi.waitFor(async () => expect(await updateOf(fleet, id)).toMatchObject({ state: "successful" }), { timeout: 20_000 });
  expect(files.storage.get("things/flows.json")).toBe("changed by the new version");
});

test("nothing is put in place of missing files even if the new version can no longer be installed", async () => {
  await using fleet = await createTestFleet();
  const { id, files, makeDue } = await stoppedInUpdate(fleet);
  fleet.world.workspaces.delete(id);
  fleet.engine.installed.delete("2.1.0");
  fleet.engine.installFails = new Error("the registry is gone");

  await makeDue();
  const loop = fleet.startLoop();
  await fleet.until(id, ({ reasonCode, failures, leaseOwner }) => reasonCode === "files-missing" && failures > 0 && leaseOwner === null);
  expect(await fleet.row(id)).toMatchObject({ desiredVersion: "2.1.0", address: null });
  expect(fleet.world.workspaces.has(id)).toBe(false);
  expect((await updateOf(fleet, id)).finishedAt).toBeNull();

  fleet.world.workspaces.set(id, files);
  fleet.world.unresponsive(id, false);
  await makeDue();
  loop.wake();
  await fleet.until(id, settled("2.0.0"));
  expect(await updateOf(fleet, id)).toMatchObject({ state: "rolled-back" });
  expect(files.storage.get("things/flows.json")).toBe("as it was");
});

test("files of a version that can't be installed here arrive before anything is rolled back", async () => {
  await using fleet = await createTestFleet();
  const { id, files, makeDue } = await stoppedInUpdate(fleet);
  const moved = { ...(await fleet.row(id)), accountName: "acme" };
  const { id: arriving } = await createBackups(fleet.backupTools).make(moved, "before-move");
  fleet.world.workspaces.delete(id);
  fleet.engine.installed.delete("2.1.0");
  fleet.engine.installFails = new Error("the registry is gone");
  await fleet.database.db.update(workspaces).set({ arriving, address: null, startedAt: null }).where(eq(workspaces.id, id));

  await makeDue();
  const loop = fleet.startLoop();
  await fleet.until(id, ({ reasonCode, failures, leaseOwner }) => reasonCode === "install-failed" && failures > 0 && leaseOwner === null);
  expect(await fleet.row(id)).toMatchObject({ desiredVersion: "2.1.0", arriving });
  expect(fleet.world.workspaces.has(id)).toBe(false);

  fleet.engine.installed.add("2.1.0");
  await makeDue();
  loop.wake();
  await fleet.until(id, settled("2.1.0"));
  expect(fleet.world.get(id).storage.get("things/flows.json")).toBe("changed by the new version");
  expect(files).not.toBe(fleet.world.get(id));
});

test("a rollback whose backup is damaged ends: the owner is told so, and the workspace stays on the version that has its data", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  const mend = breakVersion(fleet, "2.1.0");
  await askFor(fleet, id, "2.0.0", "2.1.0");
  const { backupId } = await vi.waitFor(
    async () => {
      const update = await updateOf(fleet, id);
      expect(update.backupId).toEqual(expect.any(String));
      return update;
    },
    { timeout: 20_000, interval: 5 },
  );
  await writeFile(join(fleet.backupTools.storage.place, storedByTry({ id: backupId!, attempts: 1 })), "not what was stored");
  await vi.waitFor(async () => expect(await updateOf(fleet, id)).toMatchObject({ state: "failed", finishedAt: expect.any(Date) }), {
    timeout: 30_000,
  });
  const row = await fleet.until(id, ({ observedState }) => observedState === "offline");
  expect(row).toMatchObject({
    desiredVersion: "2.1.0",
    observedVersion: "2.1.0",
    reason: expect.stringContaining("stays on 2.1.0 with its data as it is now"),
  });
  expect(await fleet.journal(id)).toContain("roll-back-failed");
  expect(await subjects(fleet)).toEqual(["The update to Test engine 2.1.0 failed and needs your attention"]);
  // Nothing started again: once the version works, it continues.
  mend();
  await fleet.database.db.update(workspaces).set({ reconcileAt: new Date(), updatedAt: new Date() }).where(eq(workspaces.id, id));
  await fleet.until(id, settled("2.1.0"));
  expect(await fleet.database.db.select().from(workspaceUpdates).where(eq(workspaceUpdates.workspaceId, id))).toHaveLength(1);
});

test("a rollback that the owner overrules ends, and another change of version can begin", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const id = await launched(fleet);
  await askFor(fleet, id, "2.0.0", "2.1.0");
  await vi.waitFor(async () => expect((await updateOf(fleet, id)).state).toBe("successful"), { timeout: 20_000 });
  const { backupId } = await updateOf(fleet, id);
  await db.transaction(async (tx) => {
    await requestUpdate(
      tx,
      {
        workspaceId: id,
        fromVersion: "2.1.0",
        toVersion: "2.0.0",
        askedBy: "owner",
        restoreBackupId: backupId!,
        line: { event: "roll-back-requested", message: say("variablesChanged") },
      },
      new Date(),
    );
    await tx.update(workspaces).set({ desiredVersion: "2.1.0" }).where(eq(workspaces.id, id));
  });
  await vi.waitFor(
    async () => expect(await updateOf(fleet, id)).toMatchObject({ state: "failed", reason: "Another version was requested." }),
    { timeout: 20_000 },
  );
  await fleet.until(id, settled("2.1.0"));
  await askFor(fleet, id, "2.1.0", "2.0.0", backupId!);
  await fleet.until(id, settled("2.0.0"));
});

test("the owner's rollback restores the data from before the update, and keeps later data as a backup", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  await askFor(fleet, id, "2.0.0", "2.1.0");
  await vi.waitFor(async () => expect((await updateOf(fleet, id)).state).toBe("successful"), { timeout: 20_000 });
  fleet.world.get(id).storage.set("things/flows.json", "made since");
  const { backupId } = await updateOf(fleet, id);
  await askFor(fleet, id, "2.1.0", "2.0.0", backupId!);
  await fleet.until(id, settled("2.0.0"));
  await vi.waitFor(async () => expect(await updateOf(fleet, id)).toMatchObject({ state: "successful", restoredAt: expect.any(Date) }), {
    timeout: 20_000,
  });
  expect(fleet.world.get(id).storage.get("things/flows.json")).toBe("as it was");
  expect((await fleet.journal(id)).at(-1)).toBe("rolled-back");
  expect((await updateOf(fleet, id)).backupId).not.toBe(backupId);
});

test.each(["an update", "a rollback"])(
  "%s that is overruled after its files were changed puts the work back first, and says so",
  async (what) => {
    await using fleet = await createTestFleet();
    const { db } = fleet.database;
    const first = fleet.startLoop();
    fleet.engine.installed.add("2.1.0");
    const id = await fleet.want("acme");
    await fleet.until(id, settled("2.0.0"));
    const { storage } = fleet.world.get(id);
    storage.set("things/count.json", '{"workflows":1,"credentials":0,"executions":0}');
    storage.set("things/flows.json", "of 2.0.0");
    let [from, to] = ["2.0.0", "2.1.0"];
    let backupId: string | undefined;
    if (what === "a rollback") {
      await askFor(fleet, id, from, to);
      await fleet.until(id, (row) => settled("2.1.0")(row) && row.leaseOwner === null);
      backupId = (await updateOf(fleet, id)).backupId!;
      [from, to] = [to, from];
    }
    storage.set("things/flows.json", `three weeks of work on ${from}`);
    const hang = setInterval(() => fleet.world.unresponsive(id, commandOf(fleet, id) === to), 1);
    try {
      await askFor(fleet, id, from, to, backupId);
      await vi.waitFor(() => expect(commandOf(fleet, id)).toBe(to), { timeout: 20_000 });
      storage.set("things/flows.json", `changed by ${to}`);
      await first.stop();
    } finally {
      clearInterval(hang);
      fleet.world.unresponsive(id, false);
    }
    // The running version is chosen again: by a worker of an earlier release, or at the same moment as the request.
    const chosen = { desiredVersion: from, generation: sql`${workspaces.generation} + 1`, reconcileAt: new Date() };
    await db.update(workspaces).set(chosen).where(eq(workspaces.id, id));
    fleet.startLoop();
    await fleet.until(id, (row) => settled(from)(row) && row.leaseOwner === null && row.desiredVersion === from);
    expect(storage.get("things/flows.json")).toBe(`three weeks of work on ${from}`);
    expect(await updateOf(fleet, id)).toMatchObject({ state: "rolled-back", reason: "Another version was requested." });
    expect((await fleet.journal(id)).filter((event) => event === "update-rolled-back")).toHaveLength(1);
    expect(await subjects(fleet)).toContain(`The update to Test engine ${to} was undone`);
  },
);

test("no other version can be chosen while a rollback is under way, whether or not its files are in place", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  fleet.engine.installed.add("2.1.0");
  const loop = fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, settled("2.0.0"));
  await askFor(fleet, id, "2.0.0", "2.1.0");
  await fleet.until(id, (row) => settled("2.1.0")(row) && row.leaseOwner === null);
  await loop.stop();
  await askFor(fleet, id, "2.1.0", "2.0.0", (await updateOf(fleet, id)).backupId!);
  const choose = () => db.transaction((tx) => beginStory(tx, id, "version-choice", new Date()));
  await expect(choose()).rejects.toMatchObject({ open: "update" });
  await db.update(workspaceUpdates).set({ snapshotAt: new Date() });
  await expect(choose()).rejects.toMatchObject({ open: "update" });
});
