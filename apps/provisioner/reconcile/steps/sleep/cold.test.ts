import { eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { workspaces } from "#database/tables.ts";
import { makeAccountDue } from "#domain/workspaces/observed/due-store.ts";
import { requestDeletion } from "#domain/workspaces/desired/renew-workspace.ts";
import { workspaceStatus } from "#domain/workspaces/workspace-status.ts";
import { workspaceView } from "#domain/workspaces/workspace-view.ts";
import { requestRestart, type WorkspaceRow } from "#domain/workspaces/workspace-store.ts";
import { after, hourMs, minuteMs, secondMs, systemClock } from "#platform/clock.ts";
import { createLog, type Log } from "#platform/log.ts";
import { awake, cold, driverOf, frozen, launched, looked, settled } from "#testing/fleet/sleepers.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { dieInPass } from "#testing/fleet/dying-pass.ts";
import type { Driver } from "../../../drivers/driver.ts";
import { relieveMemory, startRelievingMemory } from "../../../relieve-memory.ts";
import { createWaker, wakeFirst } from "../../../wake-first.ts";

/** Online again, with nothing left of its sleep. */
const back = (row: WorkspaceRow) => settled(row) && awake(row);
/** Longer than any plan without a setting allows. */
const longMs = 13 * hourMs;
const html = { accept: "text/html" };

/** Launched, asleep, and stopped. */
async function stopped(fleet: TestFleet, name = "acme"): Promise<string> {
  const id = await launched(fleet, name);
  await fleet.leaveAlone(id, longMs);
  await fleet.until(id, cold);
  expect(fleet.world.get(id).run).toBeUndefined();
  return id;
}

/** Frozen one after the other; `prepare` runs before each is left alone. */
async function threeFrozen(fleet: TestFleet, prepare: (id: string, place: number) => void = () => undefined): Promise<string[]> {
  const ids = [await launched(fleet, "one"), await launched(fleet, "two"), await launched(fleet, "three")];
  for (const [place, id] of ids.entries()) {
    prepare(id, place);
    await fleet.leaveAlone(id);
    await fleet.until(id, frozen);
  }
  return ids;
}

test("longer unused, a sleeping workspace is stopped, stays online for its owner, and its next request starts it", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await stopped(fleet);
  const row = await fleet.row(id);
  expect(workspaceStatus(row)).toBe(1);
  expect(workspaceView(row, "http://acme.localhost").asleepSince).toBe(row.asleepSince!.toISOString());
  expect((await fleet.call("acme")).status).toBe(200);
  expect(await fleet.until(id, back)).toMatchObject({ wakeAskedAt: null, failures: 0 });
  // A start by a request is part of its sleep: it leaves no lines that are kept permanently.
  expect(await fleet.journal(id)).toEqual(["requested", "started", "online", "asleep", "asleep", "woken"]);
});

test("a start for a request is measured as a start, a thaw as a wake, and an answer after a silence as neither", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const measured: string[] = [];
  const nothing = (): void => undefined;
  const [started, woken] = [() => void measured.push("start"), () => void measured.push("wake")];
  fleet.startLoop({ metrics: { stepped: nothing, journalled: nothing, launched: nothing, usageTold: nothing, started, woken } });
  const id = await stopped(fleet);
  expect((await fleet.call("acme")).status).toBe(200);
  await fleet.until(id, back);
  expect(measured).toEqual(["start", "start"]);
  await fleet.leaveAlone(id);
  await fleet.until(id, frozen);
  expect((await fleet.call("acme")).status).toBe(200);
  await fleet.until(id, back);
  expect(measured).toEqual(["start", "start", "wake"]);
  await fleet.database.db.update(workspaces).set({ observedState: "offline", reconcileAt: new Date() });
  await fleet.until(id, back);
  expect(measured).toEqual(["start", "start", "wake"]);
});

test("a person sees immediately that the workspace is waking up, and a monitor's request starts nothing", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const { health } = fleet.engine;
  let isReady = true;
  fleet.engine.health = (address) => (isReady ? health(address) : Promise.resolve({ ready: false }));
  fleet.startLoop();
  const id = await stopped(fleet);
  // Its next start takes until the test ends it.
  isReady = false;
  expect(await fleet.call("acme", "/monitored", html)).toEqual({ status: 200, body: '{"status":"ok"}' });
  expect(await fleet.call("acme", "/absent")).toMatchObject({ status: 404 });
  expect(await fleet.row(id)).toMatchObject({ wakeAskedAt: null, usedAt: null });
  const page = await fleet.call("acme", "/", html);
  expect(page).toMatchObject({ status: 503, body: expect.stringContaining("This workspace is waking up") });
  const waking = await fleet.until(id, (row) => row.asleepSince === null);
  expect(workspaceStatus(waking)).toBe(1);
  expect(workspaceView(waking, "http://acme.localhost").progress).toBeUndefined();
  expect(await fleet.call("acme", "/", html)).toMatchObject({ status: 503, body: expect.stringContaining("workspace_waking") });
  // A program waits for it.
  const answer = fleet.call("acme");
  isReady = true;
  expect((await answer).status).toBe(200);
  await fleet.until(id, back);
  expect((await fleet.call("acme", "/", html)).status).toBe(200);
});

test("a form that another site embeds waits for its workspace, because our page could not be shown there", async () => {
  await using fleet = await createTestFleet({ sleeps: true, startDelayMs: 500 });
  fleet.startLoop();
  await stopped(fleet);
  expect((await fleet.call("acme", "/form", { ...html, "sec-fetch-dest": "iframe" })).status).toBe(200);
});

test("an execution due within hours prevents a stop, and a later one starts the workspace two minutes ahead", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await launched(fleet);
  fleet.engine.rests.set(id, { sleepable: true, due: after(new Date(), 50 * minuteMs) });
  await fleet.leaveAlone(id, longMs);
  await fleet.until(id, frozen);
  expect(fleet.world.get(id).run!.frozen).toBe(true);
  expect((await fleet.call("acme")).status).toBe(200);
  await fleet.until(id, back);
  const due = after(new Date(), 3 * hourMs);
  fleet.engine.rests.set(id, { sleepable: true, due });
  await fleet.leaveAlone(id, longMs);
  const row = await fleet.until(id, cold);
  expect(Math.abs(row.reconcileAt!.getTime() - after(due, -2 * minuteMs - 10 * secondMs).getTime())).toBeLessThan(5_000);
  fleet.engine.rests.set(id, { sleepable: false, due: null });
  await fleet.database.db.update(workspaces).set({ sleepUntil: after(new Date(), 110 * secondMs), reconcileAt: new Date() });
  await fleet.until(id, back);
  expect(fleet.world.get(id).run).toBeDefined();
});

test("on a host that cannot freeze, an unused workspace stays awake for longer and is then stopped", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop({ driver: driverOf(fleet, { canFreeze: false }) });
  const id = await launched(fleet);
  await fleet.leaveAlone(id);
  await fleet.until(id, looked);
  expect((await fleet.row(id)).asleepSince).toBeNull();
  await fleet.leaveAlone(id, longMs);
  await fleet.until(id, cold);
  expect(fleet.world.get(id).run).toBeUndefined();
  expect((await fleet.call("acme")).status).toBe(200);
  await fleet.until(id, back);
});

test("a worker killed at any step of stopping a sleeping workspace, or of starting it again, loses no request", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const { db } = fleet.database;
  const first = fleet.startLoop();
  const id = await launched(fleet);
  await first.stop();
  let steps = 0;
  for (const half of ["stopping", "starting"])
    for (let lifetime = 1; ; lifetime += 1) {
      const before = fleet.startLoop();
      await fleet.leaveAlone(id, half === "stopping" ? 2 * hourMs : longMs);
      await fleet.until(id, half === "stopping" ? frozen : cold);
      await before.stop();
      if (half === "stopping") await db.update(workspaces).set({ startedAt: after(new Date(), -longMs) });
      const answer = half === "starting" ? fleet.call("acme") : null;
      if (answer) await fleet.until(id, (row) => row.wakeAskedAt !== null);
      const died = await dieInPass(fleet, id, lifetime, true);
      const loop = fleet.startLoop();
      expect((await (answer ?? fleet.call("acme"))).status, `${half}, ${lifetime} steps`).toBe(200);
      await fleet.until(id, back);
      await loop.stop();
      expect(fleet.world.get(id).run!.frozen, `${half}, ${lifetime} steps`).toBeUndefined();
      steps += 1;
      if (!died) break;
    }
  expect(steps).toBeGreaterThan(10);
});

test("a request that arrives while the workspace is being stopped starts it again", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const driver = driverOf(fleet);
  const stopping = Promise.withResolvers<void>();
  const mayStop = Promise.withResolvers<void>();
  const ensure: Driver["ensure"] = async (spec) => {
    if (!spec.run) {
      stopping.resolve();
      await mayStop.promise;
    }
    return driver.ensure(spec);
  };
  fleet.startLoop({ driver: { ...driver, ensure } });
  const id = await launched(fleet);
  await fleet.leaveAlone(id, longMs);
  await stopping.promise;
  const answer = fleet.call("acme");
  await fleet.until(id, (row) => row.wakeAskedAt !== null);
  mayStop.resolve();
  expect((await answer).status).toBe(200);
  await fleet.until(id, back);
});

test("a change, a restart and a deletion reach a stopped sleeper, and unused it is stopped again", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await stopped(fleet);
  const { accountId, coldSince } = await fleet.row(id);
  await makeAccountDue(fleet.database.db, accountId, new Date());
  await fleet.until(id, back);
  expect((await fleet.row(id)).startedAt!.getTime()).toBeGreaterThan(coldSince!.getTime());
  await fleet.leaveAlone(id, longMs);
  await fleet.until(id, cold);
  await requestRestart(fleet.database.db, accountId, new Date());
  await fleet.until(id, (row) => back(row) && row.observedGeneration === 2);
  await fleet.leaveAlone(id, longMs);
  await fleet.until(id, cold);
  await requestDeletion(fleet.database.db, accountId, new Date());
  expect(await fleet.until(id, (row) => row.observedState === "deleted")).toMatchObject({ asleepSince: null, coldSince: null });
});

test("work outside the reconciler waits until a stopped sleeper is online", async () => {
  await using fleet = await createTestFleet({ sleeps: true, startDelayMs: 500 });
  fleet.startLoop();
  const id = await stopped(fleet);
  const waker = createWaker({ db: fleet.database.db, clock: systemClock });
  const rows: WorkspaceRow[] = [];
  const list = async () => {
    rows.push(await fleet.row(id));
    return [];
  };
  const engine = wakeFirst({ ...fleet.engine, members: { ...fleet.engine.members, list } }, waker);
  await engine.members!.list("", id);
  expect(rows[0]).toMatchObject({ observedState: "online", gatewayOpen: true, address: expect.any(String) });
});

test("a host that is short of memory stops those that have slept for longest, however long their plan lets them", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const ids = await threeFrozen(fleet);
  fleet.world.shortOf = "swap";
  await relieveMemory({ db: fleet.database.db, driver: driverOf(fleet), engine: fleet.engine, clock: systemClock }, new Set());
  await fleet.until(ids[0]!, cold);
  await fleet.until(ids[1]!, cold);
  await fleet.until(ids[2]!, frozen);
  fleet.world.shortOf = undefined;
  expect((await fleet.call("one")).status).toBe(200);
});

test("if swap is full, a sleeper whose last use seems to be in the future is tried again later, not constantly", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  let looks = 0;
  const driver = driverOf(fleet);
  const observe: Driver["observe"] = (id) => {
    looks += 1;
    return driver.observe(id);
  };
  const loop = fleet.startLoop({ driver: { ...driver, observe } });
  const id = await launched(fleet);
  await fleet.leaveAlone(id);
  await fleet.until(id, frozen);
  fleet.world.shortOf = "swap";
  looks = 0;
  // As after the clock was set back by an hour.
  await fleet.database.db.update(workspaces).set({ usedAt: after(new Date(), 30 * minuteMs), reconcileAt: new Date() });
  loop.wake();
  const row = await fleet.until(id, (now) => looks > 0 && frozen(now) && looked(now));
  expect(row.reconcileAt!.getTime() - Date.now()).toBeGreaterThan(30 * secondMs);
  expect(looks).toBeLessThan(5);
  // Its next visitor is served as usual.
  expect((await fleet.call("acme")).status).toBe(200);
});

test("a host whose swap is full warns once it stops workspaces for it, not while there is none to stop", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const said: unknown[] = [];
  const log = { ...createLog("silent"), warn: (...args: unknown[]) => void said.push(args[1]) } as Log;
  const relief = { db: fleet.database.db, driver: driverOf(fleet), engine: fleet.engine, clock: systemClock, log };
  fleet.world.shortOf = "swap";
  const early = startRelievingMemory(relief);
  await early.stop();
  expect(said).toEqual([]);
  fleet.world.shortOf = undefined;
  const id = await launched(fleet);
  await fleet.leaveAlone(id);
  await fleet.until(id, frozen);
  fleet.world.shortOf = "swap";
  const late = startRelievingMemory(relief);
  await fleet.until(id, cold);
  await late.stop();
  expect(said).toEqual(["this host is short of memory: sleeping workspaces are stopped"]);
});

test("sleepers that must be awake soon do not prevent a host short of memory from stopping others", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const ids = await threeFrozen(fleet, (id, place) => {
    fleet.engine.rests.set(id, { sleepable: true, due: place === 2 ? null : after(new Date(), 50 * minuteMs) });
  });
  fleet.world.shortOf = "memory";
  await relieveMemory({ db: fleet.database.db, driver: driverOf(fleet), engine: fleet.engine, clock: systemClock }, new Set());
  await fleet.until(ids[2]!, cold);
  await fleet.until(ids[0]!, frozen);
});

test("sleepers whose passes leave them asleep do not prevent a host short of memory from stopping others", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const ids = await threeFrozen(fleet);
  const used = inArray(workspaces.id, ids.slice(0, 2));
  // As after the clock was set back by an hour.
  await fleet.database.db
    .update(workspaces)
    .set({ usedAt: after(new Date(), 30 * minuteMs) })
    .where(used);
  fleet.world.shortOf = "memory";
  const tried = new Set<string>();
  const relieve = () => relieveMemory({ db: fleet.database.db, driver: driverOf(fleet), engine: fleet.engine, clock: systemClock }, tried);
  expect(await relieve()).toBe(2);
  expect([...tried].toSorted()).toEqual(ids.slice(0, 2).toSorted());
  expect(await relieve()).toBe(1);
  await fleet.until(ids[2]!, cold);
  for (const id of ids.slice(0, 2)) await fleet.until(id, frozen);
  // All were tried, so those that sleep come again.
  expect(await relieve()).toBe(2);
});

test("on a host that cannot freeze, a sleeping workspace whose stop fails is checked again within a minute", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const driver = driverOf(fleet, { canFreeze: false });
  let fails = true;
  const ensure: Driver["ensure"] = (spec) => (fails && !spec.run ? Promise.reject(new Error("stuck")) : driver.ensure(spec));
  fleet.startLoop({ driver: { ...driver, ensure } });
  const id = await launched(fleet);
  // A quiet one is checked hours later.
  await fleet.database.db.update(workspaces).set({ updatedAt: after(new Date(), -longMs) });
  await fleet.leaveAlone(id, longMs);
  const row = await fleet.until(id, cold);
  expect(row.reconcileAt!.getTime() - Date.now()).toBeLessThanOrEqual(minuteMs);
  expect(fleet.world.get(id).run).toBeDefined();
  fails = false;
  await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() });
  await fleet.until(id, (now) => cold(now) && fleet.world.get(id).run === undefined);
});

test("a start that fails is reported, and the workspace is no longer called asleep", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const driver = driverOf(fleet);
  let fails = false;
  const ensure: Driver["ensure"] = (spec) => (fails && spec.run ? Promise.reject(new Error("no disk")) : driver.ensure(spec));
  fleet.startLoop({ driver: { ...driver, ensure } });
  const id = await stopped(fleet);
  fails = true;
  expect((await fleet.call("acme")).status).toBe(503);
  const row = await fleet.until(id, (now) => now.observedState === "offline");
  expect(row).toMatchObject({ asleepSince: null, coldSince: null });
  fails = false;
  await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, id));
  await fleet.until(id, back);
});
