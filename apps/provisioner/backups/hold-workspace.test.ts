/** A workspace is held while its files are copied: it cannot be started during the copy, and no start waits longer than that. */
import { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { backups } from "#database/tables.ts";
import { claimBackups } from "#domain/backups/backup-queue.ts";
import { requestBackup } from "#domain/backups/request-backup.ts";
import { readForBackup } from "#domain/backups/workspace-for-backup.ts";
import { recordUse } from "#domain/workspaces/observed/sleep-store.ts";
import { claimWorkspace } from "#domain/workspaces/observed/claim-workspaces.ts";
import { workspaceChanged } from "#domain/workspaces/workspace-store.ts";
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import { hourMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { createNotifications } from "#platform/postgres/listen.ts";
import { asleep, cold, frozen, sleeping } from "#testing/fleet/sleepers.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { createBackupSlots } from "./backup-slots.ts";
import { createBackups } from "./create-backups.ts";
import { workOnBackup } from "./work-on-backup.ts";

/** An online or stopped workspace without a reconciler, and its claimed backup. */
async function prepare(fleet: TestFleet, state: "online" | "stopped") {
  const { db } = fleet.database;
  const loop = fleet.startLoop();
  const id = await fleet.want("acme");
  const { accountId } = await fleet.until(id, (row) => row.observedState === "online");
  if (state === "stopped")
    await db.transaction((tx) =>
      setDesiredState(
        tx,
        accountId,
        "stopped",
        { event: "subscription-paused", message: say("subscriptionPaused", { days: 30 }) },
        new Date(),
      ),
    );
  await fleet.until(id, (row) => row.observedState === state && row.leaseOwner === null);
  await loop.stop();
  fleet.world.get(id).storage.set("things/count.json", '{"workflows":3,"credentials":2,"executions":1}');
  await requestBackup(db, await fleet.row(id), "manual", new Date());
  const worker = newId();
  const [row] = await claimBackups(db, worker, new Date(), 1);
  const ended = async () => (await db.select().from(backups).where(eq(backups.id, row!.id)))[0]!;
  return { id, row: row!, worker, ended };
}

test("a workspace that stops just before its copy is copied while held, or not at all", async () => {
  await using fleet = await createTestFleet();
  const { id, row, worker, ended } = await prepare(fleet, "online");
  const { driver, engine } = fleet.backupTools;
  let [looks, frozen, readAnyway] = [0, 0, 0];
  const { freeze } = engine.backups!;
  Object.assign(engine, {
    backups: { ...engine.backups, freeze: (...args: Parameters<typeof freeze>) => ((frozen += 1), freeze(...args)) },
  });
  const readStorage: typeof driver.readStorage = async (...args) => {
    if (frozen === 0 && (await fleet.row(id)).leaseOwner === null) readAnyway += 1;
    return driver.readStorage(...args);
  };
  const observe: typeof driver.observe = async (workspaceId) => ((looks += 1) === 1 ? driver.observe(workspaceId) : { state: "stopped" });
  await workOnBackup({ ...fleet.backupTools, driver: { ...driver, observe, readStorage } }, row, worker);
  expect(readAnyway).toBe(0);
  expect(["successful", "waiting"]).toContain((await ended()).state);
});

test.for(["before", "during"])("a stopped workspace whose files go missing %s its copy has no backup made of nothing", async (when) => {
  await using fleet = await createTestFleet();
  const { id, row, worker, ended } = await prepare(fleet, "stopped");
  const { driver } = fleet.backupTools;
  let looks = 0;
  const lastWithFiles = when === "before" ? 1 : 2;
  const observe: typeof driver.observe = async (workspaceId) => {
    looks += 1;
    if (looks > lastWithFiles) fleet.world.workspaces.delete(workspaceId);
    return driver.observe(workspaceId);
  };
  await workOnBackup({ ...fleet.backupTools, driver: { ...driver, observe } }, row, worker);
  expect(await ended()).toMatchObject({ state: "failed", detail: expect.stringContaining("has no files") });
  expect(fleet.world.workspaces.has(id)).toBe(false);
});

test("a stopped workspace can be started while its backup is queued behind others", async () => {
  await using fleet = await createTestFleet();
  const { id, row, worker, ended } = await prepare(fleet, "stopped");
  const slots = createBackupSlots(60_000);
  const others = Promise.withResolvers<void>();
  void slots.pack.run(() => others.promise);
  void slots.pack.run(() => others.promise);
  const working = workOnBackup({ ...fleet.backupTools, slots }, row, worker);
  await vi.waitFor(() => expect(slots.pack.waiting()).toBe(1), { timeout: 20_000 });
  const other = newId();
  expect(await claimWorkspace(fleet.database.db, id, other)).toBe(true);
  others.resolve();
  await working;
  expect(await ended()).toMatchObject({ state: "waiting", detail: expect.stringContaining("being changed") });
  expect((await fleet.row(id)).leaseOwner).toBe(other);
});

test("a copy does not count as a backup if another process took the workspace during it", async () => {
  await using fleet = await createTestFleet();
  const { id, row, worker, ended } = await prepare(fleet, "stopped");
  const { driver } = fleet.backupTools;
  const readStorage: typeof driver.readStorage = async (...args) => {
    await fleet.database.pool.query("update workspaces set lease_owner = gen_random_uuid() where id = $1", [id]);
    return driver.readStorage(...args);
  };
  await workOnBackup({ ...fleet.backupTools, driver: { ...driver, readStorage } }, row, worker);
  expect((await ended()).state).toBe("waiting");
});

test("the backup before a change does not wait for nightly backups", async () => {
  await using fleet = await createTestFleet();
  const { id } = await prepare(fleet, "stopped");
  const slots = createBackupSlots(60_000);
  const others = Promise.withResolvers<void>();
  for (let other = 0; other < 32; other++) void slots.pack.run(() => others.promise);
  const workspace = (await readForBackup(fleet.database.db, { workspaceId: id, life: null }))!;
  expect(await createBackups({ ...fleet.backupTools, slots }).make(workspace, "before-update")).toMatchObject({
    state: "successful",
    workflows: 3,
  });
  others.resolve();
});

test("a restore that times out is over at that moment, and puts nothing in place later", async () => {
  await using fleet = await createTestFleet();
  const { id, row, worker } = await prepare(fleet, "stopped");
  await workOnBackup(fleet.backupTools, row, worker);
  const { storage: files } = fleet.world.get(id);
  files.set("things/count.json", "made since");
  const { storage, driver } = fleet.backupTools;
  const goOn = Promise.withResolvers<void>();
  async function* slowly(stored: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    await goOn.promise;
    yield* stored;
  }
  const read: typeof storage.read = async (name) => Readable.from(slowly(await storage.read(name)), { objectMode: false });
  const placed: Promise<void>[] = [];
  const replaceStorage: typeof driver.replaceStorage = (...args) => {
    placed.push(driver.replaceStorage(...args));
    return placed[0]!;
  };
  const workspace = (await readForBackup(fleet.database.db, { workspaceId: id, life: null }))!;
  const restoring = createBackups(
    { ...fleet.backupTools, storage: { ...storage, read }, driver: { ...driver, replaceStorage } },
    100,
  ).restore(workspace, row.id);
  await expect(restoring).rejects.toMatchObject({ code: "again" });
  goOn.resolve();
  await Promise.allSettled(placed);
  expect(files.get("things/count.json")).toBe("made since");
});

test("the backup of a frozen workspace does not wake it and does not count as a use", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const { db } = fleet.database;
  const loop = fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, (row) => row.observedState === "online" && row.leaseOwner === null);
  await fleet.leaveAlone(id);
  await fleet.until(id, asleep);
  await loop.stop();
  const before = await fleet.row(id);
  expect(before.coldSince).toBeNull();
  fleet.world.get(id).storage.set("things/count.json", '{"workflows":3,"credentials":2,"executions":1}');
  await requestBackup(db, before, "manual", new Date());
  const worker = newId();
  const [row] = await claimBackups(db, worker, new Date(), 1);
  const wake = () => Promise.reject(new Error("it was woken"));
  const { driver } = fleet.backupTools;
  let wasFrozen: boolean | undefined;
  const readStorage: typeof driver.readStorage = async (...args) => {
    wasFrozen = fleet.world.get(id).run?.frozen;
    return driver.readStorage(...args);
  };
  await workOnBackup({ ...fleet.backupTools, driver: { ...driver, readStorage, thaw: wake } }, row!, worker);
  expect((await db.select().from(backups).where(eq(backups.id, row!.id)))[0]).toMatchObject({ state: "successful", workflows: 3 });
  expect(wasFrozen).toBe(true);
  const { usedAt, asleepSince, wakeAskedAt, leaseOwner } = await fleet.row(id);
  expect({ usedAt, asleepSince, wakeAskedAt, leaseOwner }).toEqual({
    usedAt: before.usedAt,
    asleepSince: before.asleepSince,
    wakeAskedAt: null,
    leaseOwner: null,
  });
});

test.each([
  ["stopped", 13 * hourMs],
  ["frozen", undefined],
])("a %s sleeper that is used while its files are copied wakes at once, and is copied later", async (state, restsMs) => {
  await using fleet = await createTestFleet({ sleeps: true });
  const { db } = fleet.database;
  fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, (row) => row.observedState === "online" && row.leaseOwner === null);
  await fleet.leaveAlone(id, restsMs);
  await fleet.until(id, state === "stopped" ? cold : frozen);
  fleet.world.get(id).storage.set("things/count.json", '{"workflows":3,"credentials":2,"executions":1}');
  await requestBackup(db, await fleet.row(id), "manual", new Date());
  const worker = newId();
  const [row] = await claimBackups(db, worker, new Date(), 1);
  const { driver } = fleet.backupTools;
  const reading = Promise.withResolvers<void>();
  const neverEnds = new Readable({ read: () => reading.resolve() });
  const working = workOnBackup({ ...fleet.backupTools, driver: { ...driver, readStorage: async () => neverEnds } }, row!, worker);
  await reading.promise;
  expect((await fleet.row(id)).leaseOwner).not.toBeNull();
  expect((await fleet.call("acme")).status).toBe(200);
  await working;
  expect(neverEnds.destroyed).toBe(true);
  const [waiting] = await db.select().from(backups).where(eq(backups.id, row!.id));
  expect(waiting).toMatchObject({ state: "waiting", detail: expect.stringContaining("used while it was copied") });
  await db.update(backups).set({ dueAt: new Date() });
  const [again] = await claimBackups(db, worker, new Date(), 1);
  await workOnBackup(fleet.backupTools, again!, worker);
  expect((await db.select().from(backups).where(eq(backups.id, row!.id)))[0]).toMatchObject({ state: "successful", workflows: 3 });
});

test("a sleeper that is used while its files are being opened wakes, and what was opened is closed", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const { db } = fleet.database;
  fleet.startLoop();
  const id = await sleeping(fleet);
  await requestBackup(db, await fleet.row(id), "manual", new Date());
  const worker = newId();
  const [row] = await claimBackups(db, worker, new Date(), 1);
  const [opening, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const files = new Readable({ read: () => undefined });
  const readStorage = async () => {
    opening.resolve();
    await opened.promise;
    return files;
  };
  const working = workOnBackup({ ...fleet.backupTools, driver: { ...fleet.backupTools.driver, readStorage } }, row!, worker);
  await opening.promise;
  await recordUse(db, [id], new Date());
  await working;
  await fleet.until(id, (now) => now.asleepSince === null);
  opened.resolve();
  await vi.waitFor(() => expect(files.destroyed).toBe(true), 60_000);
});

test("a frozen sleeper whose copy waits for a bucket that does not answer still wakes, and its worker is notified when it can", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const { db, connection } = fleet.database;
  const loop = fleet.startLoop();
  const id = await sleeping(fleet);
  await loop.stop();
  await requestBackup(db, await fleet.row(id), "manual", new Date());
  const worker = newId();
  const [row] = await claimBackups(db, worker, new Date(), 1);
  const [writing, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  onTestFinished(() => answer.reject(new Error("too late")));
  // The stream that it writes to has no listener either.
  const write = () => {
    writing.resolve();
    return answer.promise;
  };
  const storage = { ...fleet.backupTools.storage, write };
  const working = workOnBackup({ ...fleet.backupTools, storage }, row!, worker);
  await writing.promise;
  let told = 0;
  const onNotify = () => void (told += 1);
  const notifications = createNotifications({ connection, log: createLog("silent") });
  const listener = await notifications.listen({ channels: [workspaceChanged], onNotify, onReconnect: () => {} });
  onTestFinished(() => listener.close());
  await recordUse(db, [id], new Date());
  await working;
  const { state, detail } = (await db.select().from(backups).where(eq(backups.id, row!.id)))[0]!;
  expect([state, detail]).toEqual(["waiting", expect.stringContaining("used while it was copied")]);
  expect((await fleet.row(id)).leaseOwner).toBeNull();
  // Once for the use, and once because it can be taken now.
  await vi.waitFor(() => expect(told).toBe(2), { timeout: 20_000 });
});

test("a stopped workspace is copied and released", async () => {
  await using fleet = await createTestFleet();
  const { id, row, worker, ended } = await prepare(fleet, "stopped");
  await workOnBackup(fleet.backupTools, row, worker);
  expect(await ended()).toMatchObject({ state: "successful", workflows: 3 });
  expect((await fleet.row(id)).leaseOwner).toBeNull();
});
