/**
 * Falling asleep and staying asleep: which workspaces may, what wakes them without a request, and what happens if one dies or hangs
 * meanwhile.
 */
import { setTimeout as delay } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { invitations, workspaceJournal, workspaces } from "#database/tables.ts";
import { makeAccountDue } from "#domain/workspaces/observed/due-store.ts";
import { claimWorkspace } from "#domain/workspaces/observed/claim-workspaces.ts";
import { rotateWorkspaces, rotationKeys } from "#domain/secret-rotation/rotate-rows.ts";
import { requestDeletion } from "#domain/workspaces/desired/renew-workspace.ts";
import { workspaceStatus } from "#domain/workspaces/workspace-status.ts";
import { workspaceView } from "#domain/workspaces/workspace-view.ts";
import { requestRestart } from "#domain/workspaces/workspace-store.ts";
import { after, dayMs, hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { TookTooLong } from "#platform/loops/within.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { dieInPass, lonelyPlace } from "#testing/fleet/dying-pass.ts";
import { reconcileWorkspace } from "../../reconcile-workspace.ts";
import type { Driver, RunObservation } from "../../../drivers/driver.ts";
import { asleep, awake, driverOf, launched, looked, settled, sleeping } from "#testing/fleet/sleepers.ts";

test("an unused workspace falls asleep, stays online for its owner, and its next request wakes it", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await sleeping(fleet);
  const row = await fleet.row(id);
  expect(workspaceStatus(row)).toBe(1);
  expect(workspaceView(row, "http://acme.localhost").asleepSince).toBe(row.asleepSince!.toISOString());
  const { instance } = fleet.world.get(id).run!;
  expect(await fleet.call("acme")).toMatchObject({ status: 200, body: expect.stringContaining(`"instance":${instance}`) });
  expect(await fleet.until(id, awake)).toMatchObject({ wakeAskedAt: null, sleepUntil: null, failures: 0 });
  expect(await fleet.journal(id)).toEqual(["requested", "started", "online", "asleep", "woken"]);
});

test("between a request and its answer, a sleeping workspace is thawed and receives no calls", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const driver = driverOf(fleet);
  const asked: string[] = [];
  let isWaking = false;
  const note = (what: string) => isWaking && asked.push(what);
  const engine: TestFleet["engine"] = {
    ...fleet.engine,
    health: (address) => (note("health"), fleet.engine.health(address)),
    readUsage: (...args) => (note("usage"), fleet.engine.readUsage!(...args)),
    setProfile: (...args) => (note("profile"), fleet.engine.setProfile(...args)),
    sleep: { ...fleet.engine.sleep!, ask: (...args) => (note("sleep"), fleet.engine.sleep!.ask(...args)) },
  };
  const thaw = (id: string) => (note("thaw"), driver.thaw!(id));
  const probed = Promise.withResolvers<void>();
  const { probeThroughGateway } = fleet.reconciler();
  fleet.startLoop({ driver: { ...driver, thaw }, engine, probeThroughGateway: (...args) => (note("probe"), probeThroughGateway(...args)) });
  const id = await sleeping(fleet);
  // It answers the call that only keeps its place among the wakes after everything else.
  engine.health = () => (note("health"), probed.promise.then(() => ({ ready: true })));
  isWaking = true;
  expect((await fleet.call("acme")).status).toBe(200);
  expect(asked.filter((what) => what !== "health")).toEqual(["thaw"]);
  probed.resolve();
  const row = await fleet.until(id, awake);
  // The other steps follow a minute later.
  expect(row.reconcileAt!.getTime() - Date.now()).toBeGreaterThan(30 * secondMs);
  expect(asked).toEqual(["thaw", "health"]);
});

test("a used workspace, one that says no, and one with an invitation to deliver stay awake", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const [used, busy, inviting] = [await launched(fleet, "used"), await launched(fleet, "busy"), await launched(fleet, "inviting")];
  fleet.engine.rests.set(busy, { sleepable: false, due: null });
  const { accountId } = await fleet.row(inviting);
  const later = after(new Date(), hourMs);
  await fleet.database.db
    .insert(invitations)
    .values({ id: newId(), accountId, email: "bob@example.com", dueAt: later, askedAt: new Date() });
  await Promise.all([fleet.leaveAlone(busy), fleet.leaveAlone(inviting)]);
  await fleet.database.db
    .update(workspaces)
    .set({ startedAt: after(new Date(), -2 * hourMs), usedAt: after(new Date(), -29 * minuteMs), reconcileAt: new Date() })
    .where(eq(workspaces.id, used));
  for (const id of [used, busy, inviting]) expect(await fleet.until(id, looked)).toMatchObject({ asleepSince: null });
});

test("with sleep turned off, nothing falls asleep and what sleeps wakes", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const loop = fleet.startLoop();
  const id = await sleeping(fleet);
  await loop.stop();
  fleet.startLoop({ sleeps: false });
  await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() });
  await fleet.until(id, awake);
  await fleet.leaveAlone(id);
  await fleet.until(id, looked);
  expect((await fleet.row(id)).asleepSince).toBeNull();
});

test("a request that arrives while the workspace says it may sleep keeps it awake", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await launched(fleet);
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  fleet.engine.sleep!.ask = async () => {
    asked.resolve();
    await answered.promise;
    return { sleepable: true, due: null };
  };
  await fleet.leaveAlone(id);
  await asked.promise;
  expect((await fleet.call("acme")).status).toBe(200);
  answered.resolve();
  await fleet.until(id, looked);
  expect((await fleet.row(id)).asleepSince).toBeNull();
  expect(fleet.world.get(id).run!.frozen).toBeUndefined();
});

test("a request that arrives between the decision and the freeze wakes it", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const driver = driverOf(fleet);
  const freezing = Promise.withResolvers<void>();
  const mayFreeze = Promise.withResolvers<void>();
  const slow: Driver = {
    ...driver,
    async freeze(id) {
      freezing.resolve();
      await mayFreeze.promise;
      return driver.freeze!(id);
    },
  };
  fleet.startLoop({ driver: slow });
  const id = await launched(fleet);
  await fleet.leaveAlone(id);
  await freezing.promise;
  const answer = fleet.call("acme");
  await fleet.until(id, (row) => row.wakeAskedAt !== null);
  mayFreeze.resolve();
  expect((await answer).status).toBe(200);
  await fleet.until(id, awake);
});

test("a request that arrives while memory is paged out wakes it before the page-out ends", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const driver = driverOf(fleet);
  const paging = Promise.withResolvers<void>();
  // Less than a pass waits for a freeze.
  const pageOutMs = 8 * secondMs;
  let isPagedOut = false;
  const slow: Driver = {
    ...driver,
    async freeze(id, until) {
      const seen = await driver.freeze!(id);
      const pagedOut = delay(pageOutMs, undefined, { ref: false }).then(() => (isPagedOut = true));
      paging.resolve();
      if (until !== "frozen") await pagedOut;
      return seen;
    },
  };
  fleet.startLoop({ driver: slow });
  const id = await launched(fleet);
  await fleet.leaveAlone(id);
  await paging.promise;
  expect((await fleet.call("acme")).status).toBe(200);
  expect(isPagedOut).toBe(false);
  await fleet.until(id, awake);
});

test("a worker killed at any step of falling asleep or waking loses no request", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const { db } = fleet.database;
  const first = fleet.startLoop();
  const id = await launched(fleet);
  await first.stop();
  let steps = 0;
  for (const half of ["falling asleep", "waking", "waking for a change"])
    for (const diesBefore of [true, false])
      for (let lifetime = 1; ; lifetime += 1) {
        await fleet.leaveAlone(id);
        if (half !== "falling asleep") {
          const loop = fleet.startLoop();
          await fleet.until(id, asleep);
          await loop.stop();
        }
        const answer = half === "waking" ? fleet.call("acme") : null;
        if (half === "waking") await fleet.until(id, (row) => row.wakeAskedAt !== null);
        if (half === "waking for a change") await makeAccountDue(db, (await fleet.row(id)).accountId, new Date());
        const died = await dieInPass(fleet, id, lifetime, diesBefore);
        const loop = fleet.startLoop();
        expect((await (answer ?? fleet.call("acme"))).status, `${half}, ${lifetime} steps`).toBe(200);
        await loop.stop();
        const row = await fleet.row(id);
        expect(row.asleepSince === null, `${half}, ${lifetime} steps`).toBe(!fleet.world.get(id).run!.frozen);
        steps += 1;
        if (!died) break;
      }
  expect(steps).toBeGreaterThan(20);
});

test("a due execution wakes it in time, and a wait that ends soon keeps it awake", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await launched(fleet);
  fleet.engine.rests.set(id, { sleepable: true, due: after(new Date(), minuteMs) });
  await fleet.leaveAlone(id);
  await fleet.until(id, looked);
  expect((await fleet.row(id)).asleepSince).toBeNull();
  const due = after(new Date(), 20 * minuteMs);
  fleet.engine.rests.set(id, { sleepable: true, due });
  await fleet.leaveAlone(id);
  const row = await fleet.until(id, asleep);
  expect(Math.abs(row.sleepUntil!.getTime() - after(due, -10 * secondMs).getTime())).toBeLessThan(2_000);
  expect(Math.abs(row.reconcileAt!.getTime() - row.sleepUntil!.getTime())).toBeLessThan(2_000);
  // It is due now.
  fleet.engine.rests.set(id, { sleepable: false, due: null });
  await fleet.database.db.update(workspaces).set({ sleepUntil: new Date(), reconcileAt: new Date() });
  await fleet.until(id, awake);
  expect((await lastLine(fleet, id)).message).toBe("Woken for a scheduled execution.");
});

test("a sleeping workspace whose disk becomes read-only is woken and restarted before anyone uses it", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const driver = driverOf(fleet);
  let brokenSince: string | undefined;
  const withDisk = (seen: RunObservation): RunObservation =>
    seen.state === "running" && String(seen.startedAt) === brokenSince ? { ...seen, readOnly: true } : seen;
  const observe: Driver["observe"] = async (id) => withDisk(await driver.observe(id));
  const thaw: Driver["thaw"] = async (id) => withDisk(await driver.thaw!(id));
  fleet.startLoop({ driver: { ...driver, observe, thaw } });
  const id = await sleeping(fleet);
  brokenSince = String((await driver.observe(id)).startedAt);
  await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() });
  const story = ["requested", "started", "online", "asleep", "woken", "disk-read-only", "started", "online"];
  await vi.waitFor(async () => expect(await fleet.journal(id)).toEqual(story), 20_000);
  expect((await fleet.call("acme")).status).toBe(200);
});

test("replacing the service's key wakes a sleeping workspace, which starts with the new one and sleeps again", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const { db } = fleet.database;
  const keys = rotationKeys("the new key, which is long enough to be one", "the old key, which is long enough to be one");
  const first = fleet.startLoop();
  const id = await sleeping(fleet);
  await first.stop();
  const { instance } = fleet.world.get(id).run!;
  await db.update(workspaces).set({ secrets: keys.previous.encrypt("its secret", "workspace") });
  expect((await rotateWorkspaces(db, keys, { operator: "ops", now: new Date() })).done).toEqual([id]);
  fleet.startLoop({ openSecrets: (encrypted) => ({ key: keys.current.decrypt(encrypted, "workspace") }) });
  const row = await fleet.until(id, (its) => settled(its) && its.observedGeneration === 2 && awake(its));
  expect(fleet.world.get(id).run!.instance).not.toBe(instance);
  expect(keys.current.decrypt(row.secrets, "workspace")).toBe("its secret");
  expect((await fleet.call("acme")).status).toBe(200);
  await fleet.leaveAlone(id);
  await fleet.until(id, asleep);
});

test("a wait without an end, in the far future, does not keep a workspace awake", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await launched(fleet);
  fleet.engine.rests.set(id, { sleepable: true, due: new Date("3000-01-01T00:00:00Z") });
  await fleet.leaveAlone(id);
  expect(await fleet.until(id, asleep)).toMatchObject({ sleepUntil: null });
});

test("an hourly look leaves it asleep; a change, a restart or a deletion wakes it first", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await sleeping(fleet);
  await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() });
  await fleet.until(id, looked);
  expect(fleet.world.get(id).run!.frozen).toBe(true);
  const { accountId } = await fleet.row(id);
  await makeAccountDue(fleet.database.db, accountId, new Date());
  // It is still unused, so it sleeps again as soon as that is done.
  await fleet.until(id, (row) => asleep(row) && row.asleepRevision!.getTime() === row.updatedAt.getTime());
  expect(await fleet.journal(id)).toEqual(["requested", "started", "online", "asleep", "woken", "asleep"]);
  await requestRestart(fleet.database.db, accountId, new Date());
  await fleet.until(id, (row) => settled(row) && row.observedGeneration === 2);
  expect(fleet.world.get(id).run!.frozen).toBeUndefined();
  await fleet.leaveAlone(id);
  await fleet.until(id, asleep);
  await requestDeletion(fleet.database.db, accountId, new Date());
  expect(await fleet.until(id, (row) => row.observedState === "deleted")).toMatchObject({ asleepSince: null });
});

test("a workspace that dies asleep is restarted, and one that does not thaw is replaced", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const driver = driverOf(fleet);
  let isStuck = false;
  const thaw = (id: string) => (isStuck ? Promise.reject(new Error("stuck")) : driver.thaw!(id));
  fleet.startLoop({ driver: { ...driver, thaw } });
  const id = await sleeping(fleet);
  fleet.world.crash(id);
  await fleet.until(id, (row) => settled(row) && row.asleepSince === null && row.startedAt! > after(new Date(), -minuteMs));
  expect(await fleet.journal(id)).toContain("died");
  await fleet.database.db.update(workspaces).set({ failures: 0 });
  await fleet.leaveAlone(id);
  await fleet.until(id, asleep);
  isStuck = true;
  expect((await fleet.call("acme")).status).toBe(200);
  expect(await fleet.journal(id)).toContain("hung");
});

test("moving the service's clock does not move the time at which a sleeping workspace must be awake", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const clock = { now: () => after(new Date(), 5 * hourMs) };
  fleet.startLoop({ clock });
  const id = await launched(fleet);
  const due = after(new Date(), 3 * hourMs);
  fleet.engine.rests.set(id, { sleepable: true, due });
  await fleet.leaveAlone(id);
  expect((await fleet.until(id, asleep)).sleepUntil).toEqual(after(due, -10 * secondMs));
});

test("a workspace that cannot be frozen stays awake and answers", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const freeze = () => Promise.reject(new Error("no room to page out"));
  fleet.startLoop({ driver: { ...driverOf(fleet), freeze } });
  const id = await launched(fleet);
  await fleet.leaveAlone(id);
  await fleet.until(id, looked);
  expect(await fleet.row(id)).toMatchObject({ asleepSince: null, observedState: "online", failures: 0 });
  expect((await fleet.call("acme")).status).toBe(200);
});

test("a freeze that takes too long leaves no workspace frozen that counts as awake", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const driver = driverOf(fleet);
  let isBefore = false;
  // Its pass has stopped waiting for it: while it pages out, or before it has begun.
  const freeze = async (id: string): Promise<never> => {
    if (!isBefore) await driver.freeze!(id);
    throw new TookTooLong("the freeze took longer than 30000 ms");
  };
  let thaws = 0;
  const thaw = (id: string) => {
    thaws += 1;
    return driver.thaw!(id);
  };
  fleet.startLoop({ driver: { ...driver, freeze, thaw } });
  const id = await launched(fleet);
  await fleet.leaveAlone(id);
  await fleet.until(id, asleep);
  expect(fleet.world.get(id).run!.frozen).toBe(true);
  expect((await fleet.call("acme")).status).toBe(200);
  await fleet.until(id, awake);
  expect(thaws).toBe(1);
  isBefore = true;
  await fleet.leaveAlone(id);
  await vi.waitFor(() => expect(thaws).toBe(2), { timeout: 60_000 });
  expect(await fleet.until(id, awake)).toMatchObject({ observedState: "online", failures: 0 });
  expect((await fleet.call("acme")).status).toBe(200);
});

test("a workspace whose sleep cannot be written to its journal still sleeps, and its next request wakes it", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await launched(fleet);
  await fleet.database.db.execute(sql`
    create function refuse_line() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`);
  await fleet.database.db.execute(sql`
    create trigger refuse_line before insert on workspace_journal for each row when (new.event = 'asleep') execute function refuse_line()`);
  await fleet.leaveAlone(id);
  expect(await fleet.until(id, asleep)).toMatchObject({ observedState: "online", gatewayOpen: true, failures: 0 });
  expect((await fleet.call("acme")).status).toBe(200);
  await fleet.until(id, awake);
});

test("a sleeping workspace with a fault and a closed gateway wakes, because no request could wake it", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await sleeping(fleet);
  await fleet.database.db
    .update(workspaces)
    .set({ observedState: "offline", gatewayOpen: false, failures: 1, reconcileAt: new Date() })
    .where(eq(workspaces.id, id));
  // Still unused, it may be asleep again by then.
  await fleet.until(id, (row) => row.leaseOwner === null && row.observedState === "online" && row.gatewayOpen);
  expect((await fleet.call("acme")).status).toBe(200);
});

test("a worker that lost its workspace during the freeze does not leave it frozen", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const { db } = fleet.database;
  const first = fleet.startLoop();
  const id = await launched(fleet);
  await first.stop();
  await fleet.leaveAlone(id);
  const driver = driverOf(fleet);
  const worker = newId();
  expect(await claimWorkspace(db, id, worker)).toBe(true);
  // Another worker found it running, and recorded it as awake.
  const freeze = async (each: string) => {
    await db.update(workspaces).set({ asleepSince: null, leaseOwner: newId() }).where(eq(workspaces.id, id));
    return driver.freeze!(each);
  };
  expect(await reconcileWorkspace(db, fleet.reconciler({ driver: { ...driver, freeze } }), id, worker, lonelyPlace)).toBeNull();
  expect(fleet.world.get(id).run!.frozen).toBeUndefined();
});

test("lines about sleep are kept for two days", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await sleeping(fleet);
  await fleet.database.db.update(workspaceJournal).set({ at: after(new Date(), -3 * dayMs) });
  await fleet.call("acme");
  await fleet.until(id, awake);
  await fleet.leaveAlone(id);
  await fleet.until(id, asleep);
  await vi.waitFor(async () => expect(await fleet.journal(id)).toEqual(["requested", "started", "online", "woken", "asleep"]), 20_000);
});

async function lastLine(fleet: TestFleet, id: string) {
  const lines = await fleet.database.db
    .select()
    .from(workspaceJournal)
    .where(eq(workspaceJournal.workspaceId, id))
    .orderBy(workspaceJournal.id);
  return lines.at(-1)!;
}
