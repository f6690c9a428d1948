/** Waking by use: requests of visitors, work of the service, and the consequences of a failed wake. */
import { expect, test, vi } from "vitest";
import { workspaces } from "#database/tables.ts";
import { isAsleep, recordUse } from "#domain/workspaces/observed/sleep-store.ts";
import { after, secondMs, systemClock } from "#platform/clock.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import { createWaker, wakeFirst } from "../../../wake-first.ts";
import type { Driver } from "../../../drivers/driver.ts";
import { asleep, awake, driverOf, launched, settled, sleeping } from "#testing/fleet/sleepers.ts";

test("a request by a gateway whose cached route is old wakes the workspace instead of reaching it frozen", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await launched(fleet);
  // No use is recorded: the gateway knows the route but has noted none.
  expect(await fleet.call("acme", "/monitored")).toMatchObject({ status: 200 });
  // Without the notification.
  await fleet.database.db.update(workspaces).set({ asleepSince: new Date(), asleepRevision: workspaces.updatedAt, reconcileAt: null });
  await driverOf(fleet).freeze!(id);
  expect((await fleet.call("acme")).status).toBe(200);
  await fleet.until(id, awake);
});

test("fifty simultaneous wakes happen four at a time, delay no start, and are one wake each, however many requests wait", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const driver = driverOf(fleet);
  const waking = new Set<string>();
  let [most, thaws] = [0, 0];
  const held = Promise.withResolvers<void>();
  const counting: Driver = {
    ...driver,
    async thaw(id) {
      thaws += 1;
      most = Math.max(most, waking.add(id).size);
      await held.promise;
      return driver.thaw!(id);
    },
    endStart: (id) => void waking.delete(id),
  };
  const loop = fleet.startLoop();
  const names = Array.from({ length: 50 }, (_, n) => `acme-${n}`);
  const ids: string[] = [];
  for (const name of names) ids.push(await fleet.want(name));
  for (const id of ids) await fleet.until(id, settled);
  for (const id of ids) await fleet.leaveAlone(id);
  for (const id of ids) await fleet.until(id, asleep);
  await loop.stop();
  const { db } = fleet.database;
  await db.transaction((tx) => recordUse(tx, ids, new Date()));
  fleet.startLoop({ driver: counting });
  await expect.poll(() => waking.size).toBe(4);
  // Four wakes hang meanwhile, and the others wait for them.
  await launched(fleet, "other");
  expect(waking.size).toBe(4);
  const answers = names.flatMap((name) => [fleet.call(name), fleet.call(name), fleet.call(name)]);
  held.resolve();
  expect((await Promise.all(answers)).filter(({ status }) => status !== 200)).toEqual([]);
  expect(thaws).toBe(50);
  expect(most).toBeLessThanOrEqual(4);
});

test("a monitor's request is answered without waking the workspace, and a scanner's is refused", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await sleeping(fleet);
  // Once the gateway has heard of it: until then it passes a monitor's request on, which is no use of the workspace.
  await expect.poll(() => fleet.call("acme", "/monitored")).toEqual({ status: 200, body: '{"status":"ok"}' });
  expect(await fleet.call("acme", "/absent")).toMatchObject({ status: 404 });
  expect(await fleet.row(id)).toMatchObject({ wakeAskedAt: null, usedAt: null, asleepSince: expect.any(Date) });
});

test("an open connection keeps its workspace awake, and a handshake wakes one", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await sleeping(fleet);
  const { status } = await fleet.upgrade("acme");
  // The simulated workspace has no WebSockets: its own answer shows that it was asked.
  expect(status).toBe(200);
  await fleet.until(id, awake);
});

test("one that thaws and does not answer is checked again within seconds", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await sleeping(fleet);
  fleet.world.unresponsive(id, true);
  const { db } = fleet.database;
  await db.transaction((tx) => recordUse(tx, [id], new Date()));
  await fleet.until(id, (row) => row.asleepSince === null && row.unhealthySince !== null);
  fleet.world.unresponsive(id, false);
  await fleet.until(id, (row) => settled(row) && row.unhealthySince === null);
});

test("one that counts as awake but is frozen, and does not thaw, is replaced instead of retried forever", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const driver = driverOf(fleet);
  fleet.startLoop({ driver: { ...driver, thaw: () => Promise.reject(new Error("stuck")) } });
  const id = await launched(fleet);
  await driver.freeze!(id);
  await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() });
  await vi.waitFor(async () => expect(await fleet.journal(id)).toContain("hung"), 60_000);
  await fleet.until(id, settled);
  expect((await fleet.call("acme")).status).toBe(200);
});

test("work outside the reconciler wakes a workspace before it calls it, and counts as a use", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await sleeping(fleet);
  const waker = createWaker({ db: fleet.database.db, clock: systemClock });
  const frozen: (true | undefined)[] = [];
  const list = () => Promise.resolve(void frozen.push(fleet.world.get(id).run!.frozen)).then(() => []);
  const engine = wakeFirst({ ...fleet.engine, members: { ...fleet.engine.members, list } }, waker);
  expect(await engine.members!.list("", id)).toEqual([]);
  expect(frozen).toEqual([undefined]);
  expect((await fleet.row(id)).usedAt).not.toBeNull();
});

test("many simultaneous requests are one wake: the first is recorded, and the others change nothing", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const loop = fleet.startLoop();
  const id = await sleeping(fleet);
  await loop.stop();
  const { db } = fleet.database;
  const first = new Date();
  expect(await recordUse(db, [id], first)).toEqual([id]);
  expect(await recordUse(db, [id], after(first, secondMs))).toEqual([id]);
  expect((await fleet.row(id)).wakeAskedAt).toEqual(first);
  expect(await isAsleep(db, id)).toBe(true);
});
