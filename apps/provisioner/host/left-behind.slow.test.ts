/**
 * Files that a host still has of a workspace that is, or was, elsewhere: they are never taken for the workspace's data, and its owner's
 * data is kept.
 */
import { eq, inArray } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { backups, hosts, restores, workspaces } from "#database/tables.ts";
import { claimExpiredBackups } from "#domain/backups/expired-backup-store.ts";
import { declareLost, listHosted, restoreElsewhere } from "#domain/backups/restores/restore-elsewhere.ts";
import { insertRestore } from "#domain/backups/restores/restore-store.ts";
import { nothingArrives, nothingLeft } from "#domain/workspaces/hosts/host-names.ts";
import { joinHost } from "#domain/workspaces/hosts/join-host.ts";
import { renewWorkspace } from "#domain/workspaces/desired/renew-workspace.ts";
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import type { WorkspaceRow } from "#domain/workspaces/workspace-store.ts";
import { after, dayMs } from "#platform/clock.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { createBackups } from "../backups/create-backups.ts";
import type { ReconcileLoop } from "../reconcile/reconcile-loop.ts";

interface Scene {
  fleet: TestFleet;
  loop: ReconcileLoop;
  id: string;
  /** A backup of its content "kept", and then "of an earlier stay" in its files. */
  backupId: string;
}

/** An online workspace of the only worker's host. */
async function openScene(): Promise<Scene> {
  const fleet = await createTestFleet();
  onTestFinished(() => fleet.close());
  const loop = fleet.startLoop();
  const id = await fleet.want("acme");
  const row = await fleet.until(id, ({ observedState, leaseOwner }) => observedState === "online" && leaseOwner === null);
  const { storage } = fleet.world.get(id);
  storage.set("things/count.json", '{"workflows":1,"credentials":0,"executions":0}');
  storage.set("things/flows.json", "kept");
  const { id: backupId } = await createBackups(fleet.backupTools).make({ ...row, accountName: "acme" }, "nightly");
  storage.set("things/flows.json", "of an earlier stay");
  return { fleet, loop, id, backupId };
}

const change = ({ fleet, id }: Scene, columns: Partial<WorkspaceRow>) =>
  fleet.database.db.update(workspaces).set(columns).where(eq(workspaces.id, id));

const backupsOf = ({ fleet, id }: Scene) => fleet.database.db.select().from(backups).where(eq(backups.workspaceId, id));

/** As if it had come to this host, which kept old files of it. */
async function arrive(scene: Scene, columns: Partial<WorkspaceRow>): Promise<void> {
  const { world } = scene.fleet;
  world.end(scene.id, { code: 0, signal: null });
  const now = new Date();
  await change(scene, {
    arriving: scene.backupId,
    address: null,
    startedAt: null,
    gatewayOpen: false,
    reconcileAt: now,
    updatedAt: now,
    ...columns,
  });
  scene.loop.wake();
}

/** Its host is silent, and an operator declares it dead. */
async function loseHost(scene: Scene, columns: Partial<WorkspaceRow> = {}): Promise<void> {
  const { db } = scene.fleet.database;
  await scene.loop.stop();
  for (const name of ["one", "two"]) await joinHost(db, { name, address: null, freeMb: 1 });
  await change(scene, { host: "two", ...columns });
  await db
    .update(hosts)
    .set({ seenAt: after(new Date(), -dayMs) })
    .where(eq(hosts.name, "two"));
  expect(await declareLost(db, "two")).toBe(true);
}

test.each(["old files", "no files"])(
  "a workspace deleted before it has arrived on a host with %s keeps its last data for 30 days",
  async (has) => {
    const scene = await openScene();
    const { fleet, id, backupId } = scene;
    await fleet.database.db.update(backups).set({ keptUntil: after(new Date(), -dayMs) });
    const { generation } = await fleet.row(id);
    await scene.loop.stop();
    await arrive(scene, { desiredState: "deleted", generation: generation + 1 });
    if (has === "no files") fleet.world.workspaces.delete(id);
    fleet.startLoop();
    await fleet.until(id, ({ observedState }) => observedState === "deleted");
    expect(fleet.world.workspaces.has(id)).toBe(false);
    // The files here were older than the backup.
    expect(await backupsOf(scene)).toMatchObject([{ id: backupId, state: "successful" }]);
    expect(await claimExpiredBackups(fleet.database.db, after(new Date(), 29 * dayMs))).toEqual([]);
    expect(await claimExpiredBackups(fleet.database.db, after(new Date(), 31 * dayMs))).toMatchObject([{ id: backupId }]);
  },
);

test.each(["paid again", "created anew"])("a deleted workspace that is %s begins empty on a host that has old files of it", async (how) => {
  const scene = await openScene();
  const { fleet, loop, id } = scene;
  const { db } = fleet.database;
  const left = fleet.world.get(id);
  const { accountId } = await fleet.row(id);
  const line = { event: "paid", message: say("paid") } as const;
  await db.transaction((tx) => setDesiredState(tx, accountId, "deleted", line, new Date()));
  loop.wake();
  await fleet.until(id, (row) => row.observedState === "deleted" && row.leaseOwner === null);
  // Like a host that was declared dead while it had the workspace, and came back.
  fleet.world.workspaces.set(id, left);
  const desired = { desiredVersion: "2.0.0", timezone: "Etc/UTC", memoryMb: 512 };
  await db.transaction<unknown>((tx) =>
    how === "paid again" ? setDesiredState(tx, accountId, "running", line, new Date()) : renewWorkspace(tx, accountId, desired, new Date()),
  );
  loop.wake();
  await fleet.until(id, (row) => row.observedState === "online");
  expect(await fleet.row(id)).toMatchObject({ arriving: null });
  expect([...fleet.world.get(id).storage.keys()].filter((name) => name.startsWith("things/"))).toEqual([]);
  expect(fleet.engine.owners.get(id)).toBe(2);
});

test("a workspace started by a worker of a release without hosts is not from an earlier stay", async () => {
  const scene = await openScene();
  const { fleet, loop, id } = scene;
  const { instance } = fleet.world.get(id).run!;
  await change(scene, { arriving: nothingArrives, reconcileAt: new Date() });
  loop.wake();
  await fleet.until(id, ({ arriving }) => arriving === null);
  expect(fleet.world.get(id).run).toMatchObject({ instance });
  expect(fleet.world.get(id).storage.get("things/flows.json")).toBe("of an earlier stay");
});

test("a backup restored by the owner before the workspace has arrived replaces old files, none of which are kept as its data", async () => {
  const scene = await openScene();
  const { fleet, loop, id, backupId } = scene;
  fleet.world.get(id).storage.set("counted.json", "of an earlier stay");
  await loop.stop();
  await arrive(scene, {});
  await insertRestore(fleet.database.db, { workspaceId: id, backupId, actor: "Ada" }, new Date());
  fleet.startLoop();
  await fleet.until(id, (row) => row.observedState === "online" && row.arriving === null);
  expect(await fleet.database.db.select().from(restores)).toMatchObject([{ safetyBackupId: null }]);
  expect(await backupsOf(scene)).toHaveLength(1);
  expect(fleet.world.get(id).storage.get("things/flows.json")).toBe("kept");
  expect(fleet.world.get(id).storage.has("counted.json")).toBe(false);
});

test("for a dead host's workspace that is being deleted, the newest backup is its last data, even if it is requested again", async () => {
  const scene = await openScene();
  const { fleet, id, backupId } = scene;
  await loseHost(scene, { desiredState: "deleted" });
  expect(await restoreElsewhere(fleet.database.db, { id, host: "two" }, new Date())).toEqual({ outcome: "restored", backupAt: null });
  expect(await fleet.row(id)).toMatchObject({ host: null, arriving: backupId, ownerSetUpAt: expect.any(Date) });
  const { accountId, life } = await fleet.row(id);
  await fleet.database.db.transaction((tx) =>
    setDesiredState(tx, accountId, "running", { event: "paid", message: say("paid") }, new Date()),
  );
  expect(await fleet.row(id)).toMatchObject({ arriving: backupId, life });
});

test.each(["had not arrived there", "had been restored there by half"])(
  "a dead host that returns does not take back a workspace that %s",
  async (how) => {
    const scene = await openScene();
    const { fleet, id, backupId } = scene;
    const { db } = fleet.database;
    await loseHost(scene, { arriving: how === "had not arrived there" ? backupId : nothingLeft });
    expect(await restoreElsewhere(db, { id, host: "two" }, new Date())).toMatchObject({ outcome: "restored" });
    // It has files of this workspace from an earlier stay.
    await joinHost(db, { name: "two", address: null, freeMb: 1, stored: [id] });
    expect(await fleet.row(id)).toMatchObject({ host: null, arriving: backupId });
    expect(await fleet.journal(id)).not.toContain("host-returned");
  },
);

test("a dead host's workspace that is being deleted without a backup starts empty if it is requested again", async () => {
  const scene = await openScene();
  const { fleet, id } = scene;
  await fleet.database.db.delete(backups);
  await loseHost(scene, { desiredState: "deleted" });
  expect(await restoreElsewhere(fleet.database.db, { id, host: "two" }, new Date())).toEqual({ outcome: "restored", backupAt: null });
  const { accountId, life } = await fleet.row(id);
  await fleet.database.db.transaction((tx) =>
    setDesiredState(tx, accountId, "running", { event: "paid", message: say("paid") }, new Date()),
  );
  expect(await fleet.row(id)).toMatchObject({ arriving: nothingArrives, ownerSetUpAt: null, observedVersion: null, life: life + 1 });
});

test("a dead host's workspace gets its newest backup that its release can open, and a newer release's only if there is no other", async () => {
  const scene = await openScene();
  const { fleet, id, backupId } = scene;
  const { db } = fleet.database;
  const { createdAt, ...older } = (await backupsOf(scene))[0]!;
  const later = after(createdAt, 1000);
  const newer = { ...older, id: crypto.randomUUID(), createdAt: later, engineVersion: "2.10.0" };
  await db.insert(backups).values(newer);
  await loseHost(scene, { desiredVersion: "2.9.1" });
  expect(await listHosted(db, "two")).toMatchObject([{ backupAt: createdAt }]);
  await db.update(backups).set({ engineVersion: "2.11.0" }).where(eq(backups.id, backupId));
  expect(await listHosted(db, "two")).toMatchObject([{ backupAt: later }]);
  await db.update(backups).set({ engineVersion: "2.9.1" }).where(eq(backups.id, backupId));
  expect(await restoreElsewhere(db, { id, host: "two" }, new Date())).toEqual({ outcome: "restored", backupAt: createdAt });
  expect(await fleet.row(id)).toMatchObject({ arriving: backupId });
});

test("a dead host's workspace gets what its owner last restored, not what that replaced, and anything newer before it", async () => {
  const scene = await openScene();
  const { fleet, loop, id, backupId } = scene;
  const { db } = fleet.database;
  await insertRestore(db, { workspaceId: id, backupId, actor: "Ada" }, new Date());
  loop.wake();
  await vi.waitFor(async () => expect(await db.select().from(restores)).toMatchObject([{ state: "successful" }]), { timeout: 60_000 });
  const [restored, replaced] = (await backupsOf(scene)).toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  expect([restored!.id, replaced!.kind]).toEqual([backupId, "before-restore"]);
  await fleet.until(id, ({ leaseOwner }) => leaseOwner === null);
  await loseHost(scene);
  expect(await listHosted(db, "two")).toMatchObject([{ backupAt: restored!.createdAt }]);
  const later = { ...restored!, id: crypto.randomUUID(), createdAt: new Date() };
  await db.insert(backups).values(later);
  expect(await listHosted(db, "two")).toMatchObject([{ backupAt: later.createdAt }]);
  // The accepted state is gone, and the replaced one is better than nothing.
  await db
    .update(backups)
    .set({ state: "removed" })
    .where(inArray(backups.id, [later.id, backupId]));
  expect(await listHosted(db, "two")).toMatchObject([{ backupAt: replaced!.createdAt }]);
  await db.update(backups).set({ state: "successful" }).where(eq(backups.id, backupId));
  expect(await restoreElsewhere(db, { id, host: "two" }, new Date())).toEqual({ outcome: "restored", backupAt: restored!.createdAt });
  expect(await fleet.row(id)).toMatchObject({ arriving: backupId });
});
