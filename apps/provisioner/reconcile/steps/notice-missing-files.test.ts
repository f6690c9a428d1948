/** A workspace whose files are gone from its host is never started empty: on a simulated host, with real backups. */
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { restores, workspaces } from "#database/tables.ts";
import { giveUpLastBackup } from "#domain/backups/backup-store.ts";
import { insertRestore } from "#domain/backups/restores/restore-store.ts";
import { requestDeletion } from "#domain/workspaces/desired/renew-workspace.ts";
import { workspaceStatus } from "#domain/workspaces/workspace-status.ts";
import { newId } from "#platform/ids.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { createBackups } from "../../backups/create-backups.ts";
import { DriverFailure, type Driver } from "../../drivers/driver.ts";
import type { MemoryWorkspace } from "../../drivers/memory/memory-world.ts";
import type { ReconcileLoop } from "../reconcile-loop.ts";

interface Scene {
  fleet: TestFleet;
  loop: ReconcileLoop;
  id: string;
  /** Of its content "kept". */
  backupId: string;
  /** Its files of this moment, with the content "newest". */
  files: MemoryWorkspace;
}

/** A workspace that ran until its worker was restarted with an empty data folder. */
async function openScene(driverOf: (driver: Driver) => Partial<Driver> = () => ({})): Promise<Scene> {
  const fleet = await createTestFleet();
  onTestFinished(() => fleet.close());
  const first = fleet.startLoop();
  const id = await fleet.want("acme");
  const row = await fleet.until(id, ({ observedState, leaseOwner }) => observedState === "online" && leaseOwner === null);
  const files = fleet.world.get(id);
  files.storage.set("things/count.json", '{"workflows":1,"credentials":0,"executions":0}');
  files.storage.set("things/flows.json", "kept");
  const { id: backupId } = await createBackups(fleet.backupTools).make({ ...row, accountName: "acme" }, "nightly");
  files.storage.set("things/flows.json", "newest");
  await first.stop();
  fleet.world.reboot();
  fleet.world.workspaces.delete(id);
  await makeDue(fleet, id);
  const { driver: whole } = fleet.backupTools;
  const driver = { ...whole, ...driverOf(whole) };
  const loop = fleet.startLoop({ driver, backups: createBackups({ ...fleet.backupTools, driver }) });
  return { fleet, loop, id, backupId, files };
}

const makeDue = (fleet: TestFleet, id: string) =>
  fleet.database.db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, id));

const untilMissing = ({ fleet, id }: Scene) =>
  fleet.until(id, (row) => row.reasonCode === "files-missing" && row.leaseOwner === null && row.failures > 0);

const restore = async ({ fleet, loop, id }: Scene, backupId: string) => {
  const row = await insertRestore(fleet.database.db, { workspaceId: id, backupId, actor: "Ada" }, new Date());
  loop.wake();
  return row!.id;
};

test("a workspace whose files are gone is offline and not started empty, and continues with them once they are back", async () => {
  const scene = await openScene();
  const { fleet, loop, id, files } = scene;
  const row = await untilMissing(scene);
  expect(row).toMatchObject({ observedState: "offline", gatewayOpen: false, reason: expect.stringContaining("can't be found") });
  expect(workspaceStatus(row)).toBe(0);
  expect(fleet.world.workspaces.has(id)).toBe(false);
  // However often it is tried.
  await makeDue(fleet, id);
  loop.wake();
  await fleet.until(id, ({ failures, leaseOwner }) => failures > row.failures && leaseOwner === null);
  expect(fleet.world.workspaces.has(id)).toBe(false);
  expect((await fleet.journal(id)).filter((event) => event === "files-missing")).toHaveLength(1);

  fleet.world.workspaces.set(id, files);
  await makeDue(fleet, id);
  loop.wake();
  await fleet.until(id, (now) => now.observedState === "online" && now.reasonCode === null);
  expect(fleet.world.get(id).storage.get("things/flows.json")).toBe("newest");
  expect(fleet.engine.owners.get(id)).toBe(1);
  expect(await fleet.journal(id)).not.toContain("died");
});

test("one that could not have been used yet starts empty", async () => {
  await using fleet = await createTestFleet();
  const first = fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, ({ observedState, leaseOwner }) => observedState === "online" && leaseOwner === null);
  await first.stop();
  fleet.world.reboot();
  fleet.world.workspaces.delete(id);
  await fleet.database.db.update(workspaces).set({ ownerSetUpAt: null, reconcileAt: new Date() }).where(eq(workspaces.id, id));
  fleet.startLoop();
  await fleet.until(id, (row) => row.observedState === "online" && row.ownerSetUpAt !== null);
});

test("its owner can restore a backup in place of the missing files", async () => {
  const scene = await openScene();
  const { fleet, id, backupId } = scene;
  await untilMissing(scene);
  await restore(scene, backupId);
  await fleet.until(id, (row) => row.observedState === "online" && row.arriving === null);
  expect(fleet.world.get(id).storage.get("things/flows.json")).toBe("kept");
  expect(await fleet.database.db.select().from(restores)).toMatchObject([{ safetyBackupId: null }]);
});

test("a restore whose files go missing after they were put in place is not over, and ends once the workspace runs with them again", async () => {
  const scene = await openScene();
  const { fleet, loop, id, backupId, files } = scene;
  const { db } = fleet.database;
  await untilMissing(scene);
  const wish = {
    id: newId(),
    workspaceId: id,
    life: 1,
    backupId,
    actor: "Ada",
    state: "running",
    placedAt: new Date(),
    createdAt: new Date(),
  } as const;
  await db.insert(restores).values(wish);
  const stateOf = async () => (await db.select().from(restores).where(eq(restores.id, wish.id)))[0]!.state;
  for (let failures = 2; failures <= 4; failures += 1) {
    await makeDue(fleet, id);
    loop.wake();
    await fleet.until(id, (row) => row.failures >= failures && row.leaseOwner === null);
  }
  expect(await stateOf()).toBe("running");

  fleet.world.workspaces.set(id, files);
  fleet.world.unresponsive(id, true);
  await makeDue(fleet, id);
  loop.wake();
  await fleet.until(id, ({ address }) => address !== null);
  // One crash is not a second failure of these files.
  fleet.world.crash(id);
  await vi.waitFor(async () => expect(await fleet.journal(id)).toContain("died"), { timeout: 20_000 });
  fleet.world.unresponsive(id, false);
  await fleet.until(id, ({ observedState }) => observedState === "online");
  await vi.waitFor(async () => expect(await stateOf()).toBe("successful"), { timeout: 20_000 });
});

test("a backup is also put in place by a driver that must first create storage, such as a claim", async () => {
  const scene: Scene = await openScene((driver) => ({
    async replaceStorage(place, paths, archive, bytes) {
      if (!scene.fleet.world.workspaces.has(place.workspaceId)) throw new DriverFailure("start_failed", "the spec names no image");
      return driver.replaceStorage(place, paths, archive, bytes);
    },
  }));
  const { fleet, id, backupId } = scene;
  await untilMissing(scene);
  await restore(scene, backupId);
  await fleet.until(id, (row) => row.observedState === "online" && row.arriving === null);
  expect(fleet.world.get(id).storage.get("things/flows.json")).toBe("kept");
});

test("leftovers of a failed restore in their place are never started", async () => {
  let isBroken = true;
  const scene: Scene = await openScene((driver) => ({
    async replaceStorage(place, paths, archive, bytes) {
      if (!isBroken) return driver.replaceStorage(place, paths, archive, bytes);
      archive.destroy();
      scene.fleet.world.workspaces.set(place.workspaceId, { storage: new Map(), output: "", unresponsive: false, stubborn: false });
      throw new Error("the disk broke while they were put in place");
    },
  }));
  const { fleet, loop, id, backupId } = scene;
  await untilMissing(scene);
  const failed = await restore(scene, backupId);
  await vi.waitFor(
    async () => {
      await makeDue(fleet, id);
      loop.wake();
      const [ended] = await fleet.database.db.select().from(restores).where(eq(restores.id, failed));
      expect(ended!.state).toBe("failed");
    },
    { timeout: 20_000, interval: 100 },
  );
  const row = await untilMissing(scene);
  expect(row.observedState).toBe("offline");
  expect(fleet.world.get(id).run).toBeUndefined();
  isBroken = false;
  await restore(scene, backupId);
  await fleet.until(id, (now) => now.observedState === "online" && now.arriving === null);
  expect(fleet.world.get(id).storage.get("things/flows.json")).toBe("kept");
});

test("one that should be deleted stays until its files are back, or an operator gives its last backup up", async () => {
  const scene = await openScene();
  const { fleet, loop, id } = scene;
  const { accountId } = await untilMissing(scene);
  await fleet.database.db.transaction((tx) => requestDeletion(tx, accountId, new Date()));
  loop.wake();
  await fleet.until(id, (row) => row.reasonCode === "last-backup-failed" && row.leaseOwner === null);
  await giveUpLastBackup(fleet.database.db, await fleet.row(id), "given up by grace", new Date());
  await makeDue(fleet, id);
  loop.wake();
  await fleet.until(id, (row) => row.observedState === "deleted");
});
