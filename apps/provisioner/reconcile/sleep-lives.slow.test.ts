/** What happens to a workspace while it sleeps: the clock is set, its subscription changes, it is updated, its host or its worker ends. */
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { subscriptions, usageDays, usagePeriods, workspaceJournal, workspaces } from "#database/tables.ts";
import { startTrial } from "#domain/billing/subscription/start-trial.ts";
import { readCatalogue } from "#domain/plans/catalogue.ts";
import { savePlans } from "#domain/plans/plan-store.ts";
import { mendClockSetBack } from "#domain/service-clock/mend-clock-set-back.ts";
import { newestUpdate } from "#domain/updates/update-store.ts";
import { requestUpdate } from "#domain/updates/request-update.ts";
import { entitlementsChanged } from "#domain/workspaces/desired/entitlements-changed.ts";
import { forgetProcesses } from "#domain/workspaces/observed/observation-store.ts";
import { leaveStopped, recordUse } from "#domain/workspaces/observed/sleep-store.ts";
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import { after, dayMs, hourMs, minuteMs, secondMs, type Clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { asleep, awake, cold, driverOf, fallAsleep, looked, settled, sleeping } from "#testing/fleet/sleepers.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";

type Row = Awaited<ReturnType<TestFleet["row"]>>;
const yearMs = 365 * dayMs;

/** The host's clock, which a test can set. */
function clockToSet(): Clock & { byMs: number } {
  const clock = { byMs: 0, now: () => new Date(Date.now() + clock.byMs) };
  return clock;
}

const look = (fleet: TestFleet, at: Date) => fleet.database.db.update(workspaces).set({ reconcileAt: at });

test.each([
  ["ahead by an hour", hourMs, false],
  ["ahead by a day", dayMs, true],
  ["ahead by a year", yearMs, true],
  ["back by an hour", -hourMs, false],
  ["back by a day", -dayMs, false],
  ["back by a year", -yearMs, false],
])("after the clock was set %s, what is due wakes a sleeping workspace, and so does a request", async (_how, byMs, isDue) => {
  const clock = clockToSet();
  await using fleet = await createTestFleet({ sleeps: true, clock });
  const loop = fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, settled);
  const due = after(new Date(), 2 * hourMs);
  fleet.engine.rests.set(id, { sleepable: true, due });
  await fallAsleep(fleet, id);
  clock.byMs = byMs;
  fleet.engine.rests.set(id, { sleepable: false, due: null });
  if (isDue) {
    loop.wake();
    await fleet.until(id, awake);
    expect((await lines(fleet, id)).at(-1)).toBe("Woken for a scheduled execution.");
  } else {
    await look(fleet, clock.now());
    loop.wake();
    const row = await fleet.until(id, ({ leaseOwner, reconcileAt }) => leaseOwner === null && reconcileAt! > clock.now());
    expect([row.asleepSince !== null, fleet.world.get(id).run!.frozen]).toEqual([true, true]);
    // It is still looked at when it is due, by the clock that it shares; a pass sets its next look from its own end.
    expect(row.reconcileAt!.getTime() - row.sleepUntil!.getTime()).toBeLessThan(secondMs);
  }
  expect((await fleet.call("acme")).status).toBe(200);
  expect(await fleet.until(id, awake)).toMatchObject({ failures: 0, observedState: "online", wakeAskedAt: null });
});

test("a clock that was half a year ahead for a moment leaves no sleeping workspace without a look until then", async () => {
  const clock = clockToSet();
  await using fleet = await createTestFleet({ sleeps: true, clock });
  const loop = fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, settled);
  fleet.engine.rests.set(id, { sleepable: true, due: after(new Date(), yearMs - dayMs) });
  await fallAsleep(fleet, id);
  clock.byMs = yearMs / 2;
  await look(fleet, clock.now());
  loop.wake();
  await fleet.until(id, (row) => row.leaseOwner === null && row.reconcileAt! > clock.now());
  clock.byMs = 0;
  await mendClockSetBack(fleet.database.db, clock.now());
  const row = await fleet.until(id, ({ leaseOwner, reconcileAt }) => leaseOwner === null && reconcileAt! < after(new Date(), 7 * hourMs));
  expect(row.asleepSince).not.toBeNull();
});

test("a use that is far in the future, since the clock was set back, does not keep a workspace awake until then", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, settled);
  const ahead = after(new Date(), yearMs);
  await fleet.database.db.update(workspaces).set({ usedAt: ahead, startedAt: ahead, reconcileAt: new Date() });
  await fleet.until(id, asleep);
});

test("a wake that was requested just before the clock was set back is requested again by the next visitor", async () => {
  const clock = clockToSet();
  await using fleet = await createTestFleet({ sleeps: true, clock });
  const loop = fleet.startLoop();
  const id = await sleeping(fleet);
  await loop.stop();
  const { db } = fleet.database;
  expect(await recordUse(db, [id], clock.now())).toEqual([id]);
  clock.byMs = -hourMs;
  fleet.startLoop();
  expect((await fleet.call("acme")).status).toBe(200);
  await fleet.until(id, awake);
});

test.each([
  ["pauses", "stopped"],
  ["ends", "deleted"],
] as const)("a subscription that %s while its workspace sleeps is carried out, and leaves nothing frozen", async (_what, wanted) => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const id = await sleeping(fleet);
  const { accountId } = await fleet.row(id);
  const { db } = fleet.database;
  const want = (state: "running" | typeof wanted) =>
    db.transaction((tx) =>
      setDesiredState(tx, accountId, state, { event: "settings-changed", message: say("variablesChanged") }, new Date()),
    );
  await want(wanted);
  expect(await fleet.until(id, (row) => row.observedState === wanted && row.leaseOwner === null)).toMatchObject({
    asleepSince: null,
    sleepUntil: null,
    wakeAskedAt: null,
  });
  expect(fleet.world.workspaces.get(id)?.run).toBeUndefined();
  // The gateway is notified a moment after the row was written.
  await expect.poll(async () => (await fleet.call("acme")).status).toBe(wanted === "stopped" ? 503 : 404);
  await want("running");
  await fleet.until(id, settled);
  expect((await fleet.call("acme")).status).toBe(200);
  await fallAsleep(fleet, id);
});

test("a failed payment reaches a sleeping workspace, which keeps sleeping afterwards; its plan's own time counts from then on", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const { db } = fleet.database;
  await savePlans(db, readCatalogue(), new Date());
  const id = await fleet.want("acme");
  const { accountId } = await fleet.row(id);
  await startTrial(db, accountId, new Date());
  await fleet.until(id, settled);
  await fallAsleep(fleet, id);
  await db.transaction(async (tx) => {
    await tx
      .update(subscriptions)
      .set({ specId: "pro-1", status: "past_due", startedAt: new Date() })
      .where(eq(subscriptions.accountId, accountId));
    await entitlementsChanged(tx, accountId, new Date());
  });
  await fleet.until(id, (row) => asleep(row) && row.asleepRevision!.getTime() === row.updatedAt.getTime());
  expect(fleet.engine.plans.get(id)!.at(-1)).toMatchObject({ id: "pro-1", status: "past_due" });
  // An hour on Pro, a quarter of an hour on the trial.
  await fleet.call("acme");
  await fleet.until(id, awake);
  const quiet = { startedAt: after(new Date(), -dayMs), usedAt: after(new Date(), -50 * minuteMs), reconcileAt: new Date() };
  await db.update(workspaces).set(quiet);
  await fleet.until(id, looked);
  expect((await fleet.row(id)).asleepSince).toBeNull();
});

test("executions before a sleep are counted once, however often the workspace sleeps and wakes", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const { db } = fleet.database;
  await savePlans(db, readCatalogue(), new Date());
  const id = await fleet.want("acme");
  const { accountId } = await fleet.row(id);
  await startTrial(db, accountId, new Date());
  await fleet.until(id, settled);
  const date = new Date().toISOString().slice(0, 10);
  for (const executions of [7, 7, 9]) {
    fleet.engine.usage.set(id, { counters: [{ epoch: "e", periodStart: null, date, executions, failed: 1 }] });
    // The last pass before sleep reads the counters.
    await fallAsleep(fleet, id);
    const [period] = await db.select().from(usagePeriods);
    const [day] = await db.select().from(usageDays);
    expect([period!.executions, day!.executions, day!.failed]).toEqual([executions, executions, 1]);
    expect((await fleet.call("acme")).status).toBe(200);
    await fleet.until(id, awake);
  }
  expect(fleet.engine.plans.get(id)!.at(-1)).toMatchObject({ limits: { executions: 1000 } });
});

test("a sleeping workspace is updated and rolled back, with its data, and its visitors come in each time", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  fleet.engine.installed.add("2.1.0");
  const id = await fleet.want("acme");
  await fleet.until(id, settled);
  const { storage } = fleet.world.get(id);
  storage.set("things/count.json", '{"workflows":3,"credentials":2,"executions":1}');
  storage.set("things/flows.json", "as it was");
  await fallAsleep(fleet, id);
  const { db } = fleet.database;
  const ask = (fromVersion: string, toVersion: string, restoreBackupId?: string) =>
    db.transaction((tx) =>
      requestUpdate(
        tx,
        {
          workspaceId: id,
          fromVersion,
          toVersion,
          askedBy: "owner",
          restoreBackupId,
          line: { event: "settings-changed", message: say("variablesChanged") },
        },
        new Date(),
      ),
    );
  const ended = (version: string) => (row: Row) => settled(row) && row.observedVersion === version;
  await ask("2.0.0", "2.1.0");
  await fleet.until(id, ended("2.1.0"));
  await vi.waitFor(async () => expect((await newestUpdate(db, id))!.update.state).toBe("successful"), { timeout: 20_000 });
  expect((await fleet.call("acme")).status).toBe(200);
  storage.set("things/flows.json", "changed since");
  await fallAsleep(fleet, id);
  await ask("2.1.0", "2.0.0", (await newestUpdate(db, id))!.update.backupId!);
  await fleet.until(id, ended("2.0.0"));
  await vi.waitFor(async () => expect((await newestUpdate(db, id))!.update.state).toBe("successful"), { timeout: 20_000 });
  expect((await fleet.call("acme")).status).toBe(200);
  expect(fleet.world.get(id).storage.get("things/flows.json")?.toString()).toBe("as it was");
  expect(fleet.world.get(id).run).not.toHaveProperty("frozen");
});

test("after the host was restarted, a request to a workspace whose row says asleep is answered by a new process", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const loop = fleet.startLoop();
  const id = await sleeping(fleet);
  await loop.stop();
  // The process is gone, and no watch saw it end.
  const { instance } = fleet.world.get(id).run!;
  fleet.world.get(id).run!.server?.close();
  delete fleet.world.get(id).run;
  fleet.startLoop();
  const answer = await fleet.call("acme");
  expect(answer.status).toBe(200);
  expect(answer.body).not.toContain(`"instance":${instance}`);
  expect(await fleet.until(id, awake)).toMatchObject({ observedState: "online" });
});

test("after a restart of the host, those asleep stay stopped until their next use, and those awake are started", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const loop = fleet.startLoop();
  const unused = await sleeping(fleet, "unused");
  const due = await sleeping(fleet, "due");
  const working = await fleet.want("working");
  await fleet.until(working, settled);
  await loop.stop();
  fleet.world.reboot();
  const now = new Date();
  await look(fleet, now);
  await fleet.database.db.update(workspaces).set({ sleepUntil: now }).where(eq(workspaces.id, due));
  fleet.startLoop();
  await fleet.until(working, (row) => settled(row) && row.failures === 1);
  await fleet.until(due, (row) => awake(row) && settled(row));
  await fleet.until(unused, (row) => asleep(row) && row.coldSince !== null);
  expect(fleet.world.get(unused).run).toBeUndefined();
  expect(await fleet.row(unused)).toMatchObject({ observedState: "online", failures: 0, address: null, gatewayOpen: false });
  expect(await fleet.journal(unused)).not.toContain("died");
  expect((await fleet.call("unused")).status).toBe(200);
  await fleet.until(unused, (row) => awake(row) && row.coldSince === null);
});

test.each(["to the end", "only until its processes were to be ended"])(
  "after a person ended the program, %s, those that slept stay stopped until their next use, and those awake are started",
  async (how) => {
    await using fleet = await createTestFleet({ sleeps: true });
    const { db } = fleet.database;
    const loop = fleet.startLoop();
    const slept = await sleeping(fleet, "slept");
    const worked = await fleet.want("worked");
    await fleet.until(worked, settled);
    await loop.stop();
    const running = [slept, worked];
    await leaveStopped(db, running);
    if (how === "to the end") {
      for (const id of running) {
        fleet.world.get(id).run!.server?.close();
        delete fleet.world.get(id).run;
      }
      await forgetProcesses(db, [worked]);
    }
    fleet.startLoop();
    await fleet.until(worked, settled);
    await fleet.until(slept, (row) => cold(row) && looked(row));
    await vi.waitFor(() => expect(fleet.world.get(slept).run).toBeUndefined(), 20_000);
    expect((await fleet.row(slept)).observedState).toBe("online");
    expect(await fleet.journal(slept)).not.toContain("died");
    expect((await fleet.call("slept")).status).toBe(200);
  },
);

test("a new control plane adopts workspaces as they are, frozen or awake", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const first = fleet.startLoop();
  const frozen = await sleeping(fleet, "frozen");
  const working = await fleet.want("working");
  await fleet.until(working, settled);
  await first.stop();
  const instances = [frozen, working].map((id) => fleet.world.get(id).run!.instance);
  // As a killed worker leaves them: both leased, and due.
  await fleet.database.db.update(workspaces).set({ leaseOwner: newId(), leaseUntil: after(new Date(), -1), reconcileAt: new Date() });
  const driver = driverOf(fleet);
  fleet.startLoop({ driver });
  for (const id of [frozen, working]) await fleet.until(id, looked);
  expect((await fleet.row(frozen)).asleepSince).not.toBeNull();
  expect(await driver.observe(frozen)).toMatchObject({ frozen: true });
  expect((await fleet.row(working)).asleepSince).toBeNull();
  for (const name of ["frozen", "working"]) expect((await fleet.call(name)).status).toBe(200);
  expect([frozen, working].map((id) => fleet.world.get(id).run!.instance)).toEqual(instances);
  expect(await fleet.journal(frozen)).toEqual(["requested", "started", "online", "asleep", "woken"]);
});

async function lines(fleet: TestFleet, id: string): Promise<string[]> {
  const found = await fleet.database.db
    .select()
    .from(workspaceJournal)
    .where(eq(workspaceJournal.workspaceId, id))
    .orderBy(workspaceJournal.id);
  return found.map(({ message }) => message);
}
