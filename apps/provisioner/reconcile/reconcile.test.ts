import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { workspaces } from "#database/tables.ts";
import { GatewaySilent } from "./gateway-silent.ts";
import { EngineInstallFailure } from "../engines/engine.ts";
import { after, minuteMs } from "#platform/clock.ts";
import { workspaceView } from "#domain/workspaces/workspace-view.ts";
import { workspaceStatus } from "#domain/workspaces/workspace-status.ts";
import { setWorkspaceMemory } from "#domain/workspaces/desired/set-desired-state.ts";
import { askLook, readLook } from "#domain/workspaces/observed/look-store.ts";
import { renewWorkspace, requestDeletion } from "#domain/workspaces/desired/renew-workspace.ts";
import { saveSettings } from "#domain/workspaces/settings/settings-store.ts";
import { requestRestart, type WorkspaceRow } from "#domain/workspaces/workspace-store.ts";
import { driverOf } from "#testing/fleet/sleepers.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";

const online = (row: { observedState: string; observedGeneration: number; generation: number }) =>
  row.observedState === "online" && row.observedGeneration === row.generation;

async function launched(fleet: TestFleet, name = "acme"): Promise<string> {
  fleet.startLoop();
  const id = await fleet.want(name);
  await fleet.until(id, online);
  return id;
}

test("a wanted workspace is started, given its owner, opened and announced, each once", async () => {
  await using fleet = await createTestFleet({ startDelayMs: 300 });
  const id = await launched(fleet);
  expect(await fleet.journal(id)).toEqual(["requested", "started", "online"]);
  expect(fleet.engine.owners.get(id)).toBe(1);
  expect(workspaceStatus(await fleet.row(id))).toBe(1);
  expect(await fleet.visit("acme")).toBe(true);
});

test("a workspace that is stopped while a pass checks its gateway is not reported as unreachable", async () => {
  await using fleet = await createTestFleet();
  let isStopping = false;
  const stopAt = async (): Promise<boolean> => {
    if (!isStopping) return fleet.visit("acme");
    // The gateway learns of the stop at this moment, and the pass began before it.
    await fleet.database.db
      .update(workspaces)
      .set({ desiredState: "stopped", generation: 2, reconcileAt: new Date(), updatedAt: new Date() });
    return false;
  };
  fleet.startLoop({ probeThroughGateway: stopAt });
  const id = await fleet.want("acme");
  await fleet.until(id, (row) => online(row) && row.leaseOwner === null);
  isStopping = true;
  // Longer ago than a start may take.
  await fleet.database.db.update(workspaces).set({ startedAt: after(new Date(), -minuteMs), reconcileAt: new Date() });
  await fleet.until(id, (row) => row.observedState === "stopped");
  expect(await fleet.journal(id)).toEqual(["requested", "started", "online", "stopped"]);
  expect((await fleet.row(id)).failures).toBe(0);
});

test("a gateway that does not answer blames no workspace; one that answers without the workspace does", async () => {
  await using fleet = await createTestFleet();
  let gateway: "well" | "silent" | "without the workspace" = "well";
  let asked = 0;
  const probe = async (): Promise<boolean> => {
    asked += 1;
    if (gateway === "silent") throw new GatewaySilent();
    return gateway === "well";
  };
  fleet.startLoop({ probeThroughGateway: probe });
  const id = await fleet.want("acme");
  await fleet.until(id, (row) => online(row) && row.leaseOwner === null);
  const lookAgain = () =>
    fleet.database.db.update(workspaces).set({ startedAt: after(new Date(), -minuteMs), reconcileAt: new Date(), leaseOwner: null });
  gateway = "silent";
  const before = asked;
  await lookAgain();
  await vi.waitFor(() => expect(asked).toBeGreaterThan(before + 1), { timeout: 20_000 });
  expect(await fleet.journal(id)).toEqual(["requested", "started", "online"]);
  expect((await fleet.row(id)).failures).toBe(0);
  gateway = "without the workspace";
  await lookAgain();
  await fleet.until(id, (row) => row.reasonCode === "unreachable");
});

test("the gateway stays closed until the workspace has an owner", async () => {
  await using fleet = await createTestFleet();
  let entered: boolean | undefined;
  fleet.engine.setUpOwner = async () => void (entered = await fleet.visit("acme"));
  await launched(fleet);
  expect(entered).toBe(false);
});

test("a launch shows progress that never goes back", async () => {
  await using fleet = await createTestFleet({ startDelayMs: 800, installed: false });
  const seen: number[] = [];
  // On a slow machine, the launch could otherwise be over before its progress was read several times.
  const { health } = fleet.engine;
  fleet.engine.health = (address) => (seen.length > 3 ? health(address) : Promise.resolve({ ready: false }));
  fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, (row) => {
    if (row.progressPercent !== null) seen.push(row.progressPercent);
    return online(row);
  });
  expect(seen.length).toBeGreaterThan(3);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test("a workspace that dies is started again, and the journal says so", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  const first = (await fleet.row(id)).startedAt;
  fleet.world.crash(id);
  await fleet.until(id, (row) => online(row) && row.startedAt!.getTime() !== first!.getTime());
  expect(await fleet.journal(id)).toEqual(["requested", "started", "online", "died", "started", "online"]);
  expect(fleet.engine.owners.get(id)).toBe(1);
  expect(await fleet.visit("acme")).toBe(true);
});

/** The workers' clock, which can be stopped: then no pause ends before the test has seen it, however slow the machine is. */
function createHeldClock() {
  let heldAt: Date | undefined;
  return { now: () => heldAt ?? new Date(), hold: () => void (heldAt = new Date()), release: () => void (heldAt = undefined) };
}

test("a workspace that keeps dying is started with growing pauses, and is offline in between", async () => {
  const clock = createHeldClock();
  await using fleet = await createTestFleet({ clock });
  const id = await launched(fleet);
  fleet.world.crash(id);
  await fleet.until(id, (row) => row.failures === 1 && row.observedState === "online");
  clock.hold();
  fleet.world.crash(id);
  // The pause is written after the state.
  const isPaused = (current: WorkspaceRow) =>
    current.observedState === "offline" && current.reconcileAt!.getTime() - clock.now().getTime() > 1000;
  const row = await fleet.until(id, isPaused);
  expect(row.reason).toContain("keeps stopping");
  expect(workspaceStatus(row)).toBe(0);
  clock.release();
  await fleet.until(id, online);
});

test("a workspace whose node is freed is started again immediately, without a failure of its own; at the third time after a minute", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  const onlineTimes = async () => (await fleet.journal(id)).filter((event) => event === "online").length;
  for (const count of [1, 2]) {
    fleet.world.evict(id);
    await vi.waitFor(async () => expect(await onlineTimes()).toBe(count + 1), 20_000);
    expect(await fleet.row(id)).toMatchObject({ failures: 0, reasonCode: null });
  }
  fleet.world.evict(id);
  const paused = await fleet.until(id, (row) => row.address === null && row.reconcileAt!.getTime() - Date.now() > 30_000);
  expect(paused).toMatchObject({ failures: 0, observedState: "starting", reasonCode: "evicted" });
  await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, id));
  await fleet.until(id, online);
  const after = ["evicted", "started", "online"];
  expect(await fleet.journal(id)).toEqual(["requested", "started", "online", ...after, ...after, ...after]);
});

test("a workspace that runs out of memory is started again, and its journal and its reason say so", async () => {
  const clock = createHeldClock();
  await using fleet = await createTestFleet({ clock });
  const id = await launched(fleet);
  fleet.world.starve(id);
  await fleet.until(id, (row) => row.failures === 1 && row.observedState === "online");
  expect(await fleet.journal(id)).toContain("out-of-memory");
  clock.hold();
  fleet.world.starve(id);
  const row = await fleet.until(id, (current) => current.observedState === "offline");
  expect(row).toMatchObject({ reasonCode: "out-of-memory", reason: expect.stringContaining("running out of memory") });
  clock.release();
  expect(await fleet.until(id, online)).toMatchObject({ reason: null, reasonCode: null });
});

test("a workspace keeps as many executions as its plan sells, or fewer if its owner says so, for as long as the plan says", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  const { accountId } = await fleet.row(id);
  expect(fleet.world.get(id).run!.spec.env).toMatchObject({ EXECUTIONS: "1000 for 336 hours" });
  await fleet.database.pool.query("insert into plan_specs (id, spec) values ('starter', $1)", [
    { pruneExecutionsInterval: 168, executionsKept: 2500, monthlyExecutionsLimit: 2500, enabledFeatures: [] },
  ]);
  await fleet.database.pool.query(
    "insert into plans (id, spec_id, name, billing_type, period_unit, period_count, recurring_price) values ('starter', 'starter', 'Starter', 'month', 'month', 1, '{}')",
  );
  await fleet.database.pool.query(
    "insert into subscriptions (account_id, plan_id, spec_id, status, started_at, period_starts_at) values ($1, 'starter', 'starter', 'active', now(), now())",
    [accountId],
  );
  const restartWith = async (generation: number, executionsToKeep: number | null) => {
    await saveSettings(fleet.database.db, id, { executionsToKeep }, { restart: true, now: new Date() });
    await fleet.until(id, (row) => online(row) && row.generation === generation);
    return fleet.world.get(id).run!.spec.env["EXECUTIONS"];
  };
  expect(await restartWith(2, null)).toBe("2500 for 168 hours");
  expect(await restartWith(3, 250)).toBe("250 for 168 hours");
  // A smaller plan keeps no more than it sells.
  expect(await restartWith(4, 9000)).toBe("2500 for 168 hours");
});

test("a deleted workspace is gone with all its data; the next one in its row starts empty", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  const { accountId } = await fleet.row(id);
  await askLook(fleet.database.db, id, "logs", new Date());
  await requestDeletion(fleet.database.db, accountId, new Date());
  await fleet.until(id, (row) => row.observedState === "deleted" && row.observedGeneration === row.generation);
  expect(fleet.world.workspaces.has(id)).toBe(false);
  // Stored output is part of its data, too.
  expect(await readLook(fleet.database.db, id, "logs")).toBeUndefined();
  await renewWorkspace(fleet.database.db, accountId, { desiredVersion: "2.0.0", timezone: "Asia/Tokyo", memoryMb: 512 }, new Date());
  await fleet.until(id, online);
  expect(fleet.engine.owners.get(id)).toBe(2);
  expect(fleet.world.get(id).run!.spec.env["TZ"]).toBe("Asia/Tokyo");
});

test("a restart starts a new process and settles again", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  const before = fleet.world.get(id).run!.instance;
  await requestRestart(fleet.database.db, (await fleet.row(id)).accountId, new Date());
  const row = await fleet.until(id, (current) => online(current) && current.generation === 2);
  expect(fleet.world.get(id).run!.instance).not.toBe(before);
  expect(row.observedGeneration).toBe(2);
});

test("a plan's new memory applies at the next restart; until then the running memory is recorded as well", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  const { accountId } = await fleet.row(id);
  await setWorkspaceMemory(fleet.database.db, accountId, 2048);
  expect(await fleet.row(id)).toMatchObject({ memoryMb: 2048, runningMemoryMb: 512 });
  await requestRestart(fleet.database.db, accountId, new Date());
  expect(await fleet.until(id, (row) => online(row) && row.generation === 2)).toMatchObject({ memoryMb: 2048, runningMemoryMb: 2048 });
  expect(fleet.world.get(id).run!.spec.memoryMb).toBe(2048);
});

test("a restart requested in the middle of a start is not lost", async () => {
  await using fleet = await createTestFleet();
  const { health } = fleet.engine;
  let isReady = false;
  fleet.engine.health = (address) => (isReady ? health(address) : Promise.resolve({ ready: false }));
  fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, (row) => row.progressStep === "wait-until-ready");
  await requestRestart(fleet.database.db, (await fleet.row(id)).accountId, new Date());
  isReady = true;
  expect(await fleet.until(id, online)).toMatchObject({ generation: 2, observedGeneration: 2 });
  expect(fleet.world.get(id).run!.spec.generation).toBe(2);
});

test("an owner's restart is one immediate attempt and keeps the count of failures; a second one within a minute keeps the pause", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const id = await fleet.want("acme");
  const { accountId } = await fleet.row(id);
  const now = new Date();
  const pausedUntil = after(now, 5 * minuteMs);
  const fail = () =>
    db.update(workspaces).set({ observedState: "offline", failures: 6, reconcileAt: pausedUntil }).where(eq(workspaces.id, id));
  await fail();
  expect(await requestRestart(db, accountId, now)).toMatchObject({ failures: 6, generation: 2, reconcileAt: now });
  await fail();
  expect(await requestRestart(db, accountId, after(now, 30_000))).toMatchObject({ failures: 6, generation: 3, reconcileAt: pausedUntil });
  await saveSettings(db, id, { timezone: "Asia/Tokyo" }, { restart: true, now });
  expect(await fleet.row(id)).toMatchObject({ failures: 6 });
  await fail();
  const later = after(now, 91_000);
  expect(await requestRestart(db, accountId, later)).toMatchObject({ failures: 6, reconcileAt: later });
});

test("a restarted control plane adopts running workspaces and starts nothing twice", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, online);
  await loop.stop();
  const before = fleet.world.get(id).run!.instance;
  await fleet.database.pool.query(
    "update workspaces set reconcile_at = now(), address = null, started_at = null, gateway_open = false, observed_state = 'none'",
  );
  fleet.startLoop();
  await fleet.until(id, online);
  expect(fleet.world.get(id).run!.instance).toBe(before);
  expect((await fleet.journal(id)).filter((event) => event === "started")).toHaveLength(1);
});

test("a workspace held by a worker that was killed is taken over when its lease ends", async () => {
  await using fleet = await createTestFleet();
  const id = await fleet.want("acme");
  await fleet.database.pool.query(
    "update workspaces set lease_owner = gen_random_uuid(), lease_until = clock_timestamp() + interval '1 second'",
  );
  fleet.startLoop();
  await fleet.until(id, online);
});

test("when a clock jumps ahead and all leases expire, no worker does anything twice", async () => {
  await using fleet = await createTestFleet({ startDelayMs: 1_500 });
  const loop = fleet.startLoop();
  const id = await fleet.want("jumped-ahead");
  await fleet.until(id, (row) => row.observedState === "starting");
  const jumping = setInterval(() => {
    void fleet.database.db
      .update(workspaces)
      .set({ leaseUntil: new Date(0), reconcileAt: new Date(0) })
      .where(eq(workspaces.id, id))
      .then(() => loop.wake());
  }, 25);
  await fleet.until(id, (row) => row.observedState === "online");
  clearInterval(jumping);
  expect(fleet.engine.owners.get(id)).toBe(1);
  expect(await fleet.journal(id)).toEqual(["requested", "started", "online"]);
});

test("several workers share a fleet without starting anything twice", async () => {
  await using fleet = await createTestFleet({ startDelayMs: 100 });
  for (let workers = 0; workers < 3; workers += 1) fleet.startLoop();
  const ids = await Promise.all(Array.from({ length: 20 }, (_unused, index) => fleet.want(`tenant-${index}`)));
  await Promise.all(ids.map((id) => fleet.until(id, online)));
  for (const id of ids) {
    expect(await fleet.journal(id)).toEqual(["requested", "started", "online"]);
    expect(fleet.engine.owners.get(id)).toBe(1);
  }
});

test("a workspace that starts and never answers is offline with the reason, stopped, and tried again", async () => {
  await using fleet = await createTestFleet({ startDelayMs: 3_600_000 });
  fleet.startLoop({ readyTimeoutMs: 300 });
  const id = await fleet.want("acme");
  const row = await fleet.until(id, (current) => current.observedState === "offline");
  expect(row).toMatchObject({ reason: expect.stringContaining("did not respond in time"), failures: 1, gatewayOpen: false, address: null });
  expect(fleet.world.get(id).run).toBeUndefined();
  expect(await fleet.journal(id)).toContain("start-timed-out");
  await fleet.until(id, (current) => current.failures === 2);
});

test("a workspace that was stopped because it never answers is started again after its pause, not immediately", async () => {
  await using fleet = await createTestFleet({ startDelayMs: 3_600_000 });
  fleet.startLoop({ readyTimeoutMs: 300 });
  const id = await fleet.want("acme");
  await fleet.until(id, (current) => current.failures === 2);
  const at = (event: string, index: number) =>
    fleet.database.pool
      .query<{ at: Date }>("select at from workspace_journal where event = $1 order by id offset $2 limit 1", [event, index])
      .then(({ rows }) => rows[0]!.at.getTime());
  expect((await at("started", 1)) - (await at("start-timed-out", 0))).toBeGreaterThan(1_900);
});

test("a failed install of the engine is reported and retried, and the workspace opens once it succeeds", async () => {
  await using fleet = await createTestFleet({ installed: false });
  fleet.engine.installFails = new EngineInstallFailure("registry_unreachable", "getaddrinfo ENOTFOUND registry");
  fleet.startLoop();
  const id = await fleet.want("acme");
  const row = await fleet.until(id, (current) => current.observedState === "offline" && current.leaseOwner === null);
  expect(row.reason).toContain("The engine could not be installed");
  expect(await fleet.journal(id)).toContain("install-failed");
  expect(row.reconcileAt!.getTime()).toBeGreaterThan(Date.now() + 5000);
  fleet.engine.installFails = null;
  fleet.engine.installed.add("2.0.0");
  await fleet.database.pool.query("update workspaces set reconcile_at = now()");
  await fleet.until(id, online);
});

test("a workspace that stops answering goes offline, is started again, and keeps its owner", async () => {
  await using fleet = await createTestFleet();
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  fleet.startLoop({ clock });
  const id = await fleet.want("acme");
  await fleet.until(id, online);
  fleet.world.unresponsive(id, true);
  await fleet.database.pool.query("update workspaces set reconcile_at = '2000-01-01'");
  await fleet.until(id, (row) => row.unhealthySince !== null);
  aheadMs += 15_000;
  await fleet.until(id, (row) => row.observedState === "offline" && row.reason !== null);
  fleet.world.unresponsive(id, false);
  aheadMs += 61_000;
  await fleet.until(id, online);
  expect(fleet.engine.owners.get(id)).toBe(1);
});

test("a stopped workspace ends and stays ended; a deleted one leaves nothing", async () => {
  await using fleet = await createTestFleet();
  const id = await launched(fleet);
  const want = (state: string) =>
    fleet.database.pool.query(
      "update workspaces set desired_state = $2, generation = generation + 1, reconcile_at = now(), updated_at = now() where id = $1",
      [id, state],
    );
  await want("stopped");
  expect(workspaceStatus(await fleet.until(id, (row) => row.observedState === "stopped"))).toBe(3);
  expect(fleet.world.get(id).run).toBeUndefined();
  expect(await fleet.visit("acme")).toBe(false);
  // The pass that ended it releases the row a moment later.
  await fleet.until(id, ({ reconcileAt }) => reconcileAt === null);
  await want("deleted");
  await fleet.until(id, (row) => row.observedState === "deleted");
  expect(fleet.world.workspaces.has(id)).toBe(false);
});

test("a workspace whose disk is read-only is restarted, which repairs it, and its owner is told why", async () => {
  const clock = createHeldClock();
  await using fleet = await createTestFleet({ clock });
  const driver = driverOf(fleet);
  let readOnlySince: string | undefined;
  const observe: typeof driver.observe = async (id) => {
    const seen = await driver.observe(id);
    return seen.state === "running" && String(seen.startedAt) === readOnlySince ? { ...seen, readOnly: true } : seen;
  };
  // Its output is on such a disk too.
  const logs = () => Promise.reject(new Error("Read-only file system"));
  fleet.startLoop({ driver: { ...driver, observe, logs } });
  const id = await fleet.want("acme");
  await fleet.until(id, online);
  readOnlySince = String((await driver.observe(id)).startedAt);
  clock.hold();
  await fleet.database.db.update(workspaces).set({ reconcileAt: new Date(0) });
  const offline = await fleet.until(id, (row) => row.observedState === "offline");
  expect(workspaceView(offline, "https://acme.example.com")).toMatchObject({
    status: 0,
    cause: "cannot-save",
    reason: "The workspace could no longer save anything. We're checking its disk and restarting it.",
  });
  clock.release();
  await fleet.until(id, online);
  expect(await fleet.journal(id)).toEqual(["requested", "started", "online", "disk-read-only", "started", "online"]);
});
