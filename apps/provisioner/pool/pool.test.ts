import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { blanks, workspaceJournal, workspaces } from "#database/tables.ts";
import { addBlank, listBlanks, takeBlank, withdrawAllBlanks } from "#domain/workspaces/blanks/blank-store.ts";
import { requestDeletion } from "#domain/workspaces/desired/renew-workspace.ts";
import { after, hourMs, secondMs, systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { driverOf } from "#testing/fleet/sleepers.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { dieInPass, lonelyPlace } from "#testing/fleet/dying-pass.ts";
import { createMortal, mortalDatabase, mortalDriver, type Mortal } from "#testing/fleet/mortal-process.ts";
import type { Driver, RunObservation } from "../drivers/driver.ts";
import { createMemoryDriver } from "../drivers/memory/create-memory-driver.ts";
import { hashRunSpec } from "../drivers/hash-run-spec.ts";
import { reconcileWorkspace } from "../reconcile/reconcile-workspace.ts";
import { claimWorkspace } from "#domain/workspaces/observed/claim-workspaces.ts";
import { newId } from "#platform/ids.ts";
import { describeNextLaunch } from "./describe-blank.ts";
import { makeBlank } from "./make-blank.ts";
import type { PoolOptions } from "./pool.ts";
import { startPool } from "./pool-loop.ts";
import { usualMost } from "./wanted-blanks.ts";

const lookEveryMs = 50;
const settled = (row: { observedState: string; leaseOwner: string | null }) => row.observedState === "online" && row.leaseOwner === null;

const options = (fleet: TestFleet): PoolOptions => ({
  db: fleet.database.db,
  engine: fleet.engine,
  driver: driverOf(fleet),
  clock: systemClock,
  log: createLog("silent"),
  most: 1,
  memoryMb: 512,
  publicUrl: "http://localhost:3000",
  readyTimeoutMs: 20_000,
  restMs: 0,
  availableMb: () => 100_000,
  secrets: { make: () => "-", open: () => ({}) },
});

function openPool(fleet: TestFleet, changes: Partial<PoolOptions> = {}): { stop(): Promise<void> } {
  const pool = startPool({ ...options(fleet), ...changes }, lookEveryMs);
  onTestFinished(() => pool.stop());
  return pool;
}

const ready = (fleet: TestFleet, number = 1) =>
  vi.waitFor(
    async () => {
      const rows = await listBlanks(fleet.database.db);
      expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: number }, () => "ready"));
      return rows;
    },
    { timeout: 20_000, interval: 20 },
  );

/** A fleet with one ready blank, whose pool has ended, so that it makes no other. */
async function withBlank(): Promise<{ fleet: TestFleet; blank: Awaited<ReturnType<typeof ready>>[number] }> {
  const fleet = await createTestFleet();
  onTestFinished(() => fleet.close());
  const pool = openPool(fleet);
  const [blank] = await ready(fleet);
  await pool.stop();
  return { fleet, blank: blank! };
}

test("a launch gets a blank: the same process, now its owner's, as if it had just started", async () => {
  const { fleet, blank } = await withBlank();
  const { instance } = fleet.world.get(blank.id).run!;
  expect(fleet.world.get(blank.id).run).toMatchObject({ frozen: true, spec: { env: { URL: "http://blank.invalid" } } });
  const id = await fleet.want("acme");
  expect(id).toBe(blank.id);
  const loop = fleet.startLoop();
  const row = await fleet.until(id, settled);
  expect(row).toMatchObject({ number: blank.number, blank: null, failures: 0, reason: null });
  const { run, output } = fleet.world.get(id);
  expect(run).toMatchObject({ instance, spec: { generation: 1, env: { URL: "http://acme.localhost:3000" } } });
  expect(run!.frozen).toBeUndefined();
  expect(output).toBe("");
  expect(run!.startedAt.getTime()).toBeGreaterThanOrEqual(row.createdAt.getTime());
  expect(await fleet.journal(id)).toEqual(["requested", "started", "online"]);
  expect(await fleet.call("acme")).toMatchObject({ status: 200, body: expect.stringContaining(`"instance":${instance}`) });
  expect(fleet.engine.owners.get(id)).toBe(1);
  expect(await listBlanks(fleet.database.db)).toEqual([]);
  // The next pass finds what it wants, and leaves it running.
  await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() });
  loop.wake();
  await fleet.until(id, (now) => settled(now) && now.reconcileAt! > new Date());
  expect(fleet.world.get(id).run).toMatchObject({ instance });
});

test("two launches at the same moment get two workspaces, and one blank goes to one of them", async () => {
  const { fleet, blank } = await withBlank();
  const ids = await Promise.all(["one", "two", "three"].map((name) => fleet.want(name)));
  expect(new Set(ids).size).toBe(3);
  expect(ids.filter((id) => id === blank.id)).toHaveLength(1);
  fleet.startLoop();
  for (const id of ids) await fleet.until(id, settled);
  expect([...fleet.engine.claims.keys()]).toEqual([blank.id]);
  expect(new Set(ids.map((id) => fleet.world.get(id).run!.instance)).size).toBe(3);
});

test("a launch that is rolled back leaves its blank, and one with a version or size that no blank has gets none", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const id = await fleet.want("acme");
  await db.update(workspaces).set({ reconcileAt: null });
  // As in the transaction that requests it, when nothing refers to its id yet.
  await db.delete(workspaceJournal);
  const pool = openPool(fleet);
  const [blank] = await ready(fleet);
  await pool.stop();
  const fitting = { engine: "n8n", version: "2.0.0", memoryMb: 512 } as const;
  const undone = db.transaction(async (tx) => {
    expect(await takeBlank(tx, id, fitting)).toBe(blank!.id);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await fleet.row(id)).toMatchObject({ blank: null });
  for (const other of [{ version: "1.0.0" }, { memoryMb: 1024 }, { engine: "node-red" as const }])
    expect(await takeBlank(db, id, { ...fitting, ...other })).toBeNull();
  expect(await takeBlank(db, id, fitting)).toBe(blank!.id);
});

test("no visitor reaches a blank before it has an owner", async () => {
  const { fleet, blank } = await withBlank();
  for (const name of [blank.id, "blank", "acme"]) expect((await fleet.call(name)).status).toBe(404);
  const id = await fleet.want("acme");
  // Taken, but not yet claimed: the gateway is closed.
  expect(await fleet.visit("acme")).toBe(false);
  expect(fleet.world.get(id).run!.frozen).toBe(true);
});

test.each(["the claim fails", "it has died", "it was started from other settings", "it does not answer"])(
  "a launch whose blank is useless, because %s, starts without it, and its journal shows nothing of it",
  async (how) => {
    const { fleet, blank } = await withBlank();
    const { instance } = fleet.world.get(blank.id).run!;
    if (how === "the claim fails") fleet.engine.claimFails = new Error("refused");
    if (how === "it was started from other settings") await fleet.database.db.update(blanks).set({ specHash: "another" });
    if (how === "it does not answer") fleet.world.unresponsive(blank.id, true);
    const id = await fleet.want("acme");
    expect(id).toBe(blank.id);
    if (how === "it has died") fleet.world.crash(id);
    fleet.startLoop();
    expect(await fleet.until(id, settled)).toMatchObject({ blank: null, failures: 0, reason: null });
    expect(fleet.world.get(id).run!.instance).not.toBe(instance);
    expect(await fleet.journal(id)).toEqual(["requested", "started", "online"]);
    expect(fleet.world.get(id).output).not.toContain(`started ${instance}`);
  },
);

test("a workspace that is deleted before its blank was claimed leaves nothing", async () => {
  const { fleet } = await withBlank();
  const id = await fleet.want("acme");
  const { accountId } = await fleet.row(id);
  await requestDeletion(fleet.database.db, accountId, new Date());
  fleet.startLoop();
  expect(await fleet.until(id, (row) => row.observedState === "deleted")).toMatchObject({ blank: null });
  expect(fleet.world.workspaces.has(id)).toBe(false);
  expect(fleet.engine.claims.size).toBe(0);
});

test("a claimed one is deleted like any other", async () => {
  const { fleet } = await withBlank();
  const id = await fleet.want("acme");
  fleet.startLoop();
  const { accountId } = await fleet.until(id, settled);
  await requestDeletion(fleet.database.db, accountId, new Date());
  await fleet.until(id, (row) => row.observedState === "deleted");
  expect(fleet.world.workspaces.has(id)).toBe(false);
});

test("wherever the worker dies in a claim, the next one finishes it, and there is one owner", async () => {
  for (let step = 0; ; step += 1) {
    const { fleet, blank } = await withBlank();
    const id = await fleet.want("acme");
    const died = await dieInPass(fleet, id, step, step % 2 === 0);
    await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() });
    fleet.startLoop();
    await fleet.until(id, settled);
    expect(fleet.world.get(id).run, `step ${step}`).toMatchObject({ spec: { generation: 1, env: { URL: "http://acme.localhost:3000" } } });
    expect(fleet.engine.claims.get(blank.id) ?? "http://acme.localhost:3000").toBe("http://acme.localhost:3000");
    expect((await fleet.journal(id)).filter((event) => event === "online")).toHaveLength(1);
    if (!died) return;
  }
});

test("a worker that loses a workspace during its claim removes nothing: the next one has made it its owner's", async () => {
  const { fleet, blank } = await withBlank();
  const { instance } = fleet.world.get(blank.id).run!;
  const id = await fleet.want("acme");
  const { db } = fleet.database;
  const late = newId();
  await claimWorkspace(db, id, late);
  const [asked, fails] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const blanks = {
    ...fleet.engine.blanks!,
    claim: async () => {
      asked.resolve();
      await fails.promise;
      throw new Error("no answer");
    },
  };
  const pass = reconcileWorkspace(db, fleet.reconciler({ engine: { ...fleet.engine, blanks } }), id, late, lonelyPlace);
  await asked.promise;
  await db.update(workspaces).set({ leaseOwner: null, leaseUntil: null });
  fleet.startLoop();
  await fleet.until(id, settled);
  fails.resolve();
  expect(await pass).toBeNull();
  expect(fleet.world.get(id).run).toMatchObject({ instance });
});

test.each(["running", "stopped"] as const)(
  "a workspace that an earlier release set up keeps its data, though it took a blank (%s)",
  async (desiredState) => {
    await using fleet = await createTestFleet();
    const { db } = fleet.database;
    const id = await fleet.want("acme");
    const loop = fleet.startLoop();
    await fleet.until(id, settled);
    fleet.world.get(id).storage.set("things/of-the-owner", "1");
    // This release would start it from something else, which alone restarts nothing.
    const { runSpec } = fleet.engine;
    fleet.engine.runSpec = (...args) => ({ ...runSpec(...args), command: ["/usr/bin/engine", "new hook"] });
    await db.update(workspaces).set({ blank: "of another release", desiredState, reconcileAt: new Date() });
    loop.wake();
    await fleet.until(id, (row) => row.blank === null && row.observedState === (desiredState === "running" ? "online" : "stopped"));
    expect([...fleet.world.get(id).storage.keys()]).toContain("things/of-the-owner");
  },
);

const killed = async (fleet: TestFleet, mortal: Mortal): Promise<void> => {
  const pool = openPool(fleet, { db: mortalDatabase(fleet.database.pool, mortal), driver: mortalDriver(driverOf(fleet), mortal) });
  await vi.waitFor(
    async () => expect(mortal.isDead() || (await listBlanks(fleet.database.db)).some(({ state }) => state === "ready")).toBe(true),
    20_000,
  );
  await pool.stop();
};

test("wherever the worker dies while it makes a blank, the next one deletes what is left and makes another", async () => {
  for (let step = 0; ; step += 1) {
    const fleet = await createTestFleet();
    const mortal = createMortal(step, step % 2 === 0);
    await killed(fleet, mortal);
    const left = await listBlanks(fleet.database.db);
    // Every process on the host is named by a row.
    for (const id of fleet.world.workspaces.keys())
      expect(
        left.map((row) => row.id),
        `step ${step}`,
      ).toContain(id);
    await fleet.database.db.update(blanks).set({ leaseUntil: after(new Date(), -secondMs) });
    const pool = openPool(fleet);
    const [blank] = await ready(fleet);
    expect([...fleet.world.workspaces.keys()]).toEqual([blank!.id]);
    expect(fleet.world.get(blank!.id).run!.frozen).toBe(true);
    await pool.stop();
    await fleet.close();
    if (!mortal.isDead()) return;
  }
});

test("blanks that another worker is handling are left alone", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const shape = { engine: "n8n", version: "2.0.0", memoryMb: 512, secrets: "-" } as const;
  const other = (await addBlank(db, shape, { most: 1, worker: newId(), now: new Date() }))!;
  // The test may take longer than a lease.
  await db.update(blanks).set({ leaseUntil: after(new Date(), hourMs) });
  const pool = openPool(fleet);
  await vi.waitFor(() => expect(fleet.world.workspaces.size).toBe(0), 500);
  await new Promise((resolve) => setTimeout(resolve, 10 * lookEveryMs));
  expect(await listBlanks(db)).toMatchObject([{ id: other.id, state: "making", leaseOwner: other.leaseOwner }]);
  await pool.stop();
});

test("a worker that lost a blank before it started it starts nothing", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const shape = { engine: "n8n", version: "2.0.0", memoryMb: 512, secrets: "-" } as const;
  const [worker, other] = [newId(), newId()];
  const blank = (await addBlank(db, shape, { most: 1, worker, now: new Date() }))!;
  await db.update(blanks).set({ leaseOwner: other });
  const pool = { ...options(fleet), most: 1, worker, blanks: fleet.engine.blanks! };
  const { spec } = await describeNextLaunch(pool);
  await expect(makeBlank(pool, blank, spec(blank), () => false)).rejects.toThrow("another worker has it");
  expect(fleet.world.workspaces.has(blank.id)).toBe(false);
});

test("workers with other settings or of another release leave a living worker's blanks alone, and take over a dead one's", async () => {
  await using fleet = await createTestFleet();
  const pool = openPool(fleet);
  const [blank] = await ready(fleet);
  const none = openPool(fleet, { most: 0 });
  const newer = [{ ...fleet.engine.releases[0]!, version: "2.1.0" }, ...fleet.engine.releases];
  fleet.engine.installed.add("2.1.0");
  const next = openPool(fleet, { engine: { ...fleet.engine, releases: newer } });
  const both = await ready(fleet, 2);
  expect(both.map(({ version }) => version).toSorted()).toEqual(["2.0.0", "2.1.0"]);
  await new Promise((resolve) => setTimeout(resolve, 10 * lookEveryMs));
  expect((await ready(fleet, 2)).map(({ id }) => id)).toEqual(both.map(({ id }) => id));
  expect(both.map(({ id }) => id)).toContain(blank!.id);
  await pool.stop();
  expect((await ready(fleet))[0]!.version).toBe("2.1.0");
  await next.stop();
  await none.stop();
});

test.each(["died", "was thawed", "is old", "has an old hook", "has an old release", "was withdrawn"])(
  "a blank that %s is replaced",
  async (how) => {
    const { fleet, blank } = await withBlank();
    const { db } = fleet.database;
    if (how === "died") fleet.world.crash(blank.id);
    if (how === "was thawed") fleet.world.freeze(blank.id, false);
    if (how === "is old") await db.update(blanks).set({ createdAt: after(new Date(), -25 * hourMs) });
    if (how === "was withdrawn") await withdrawAllBlanks(db);
    const { runSpec, releases } = fleet.engine;
    if (how === "has an old hook") fleet.engine.runSpec = (...args) => ({ ...runSpec(...args), command: ["/usr/bin/engine", "new hook"] });
    if (how === "has an old release") {
      Object.assign(fleet.engine, { releases: [{ ...releases[0]!, version: "2.1.0" }, ...releases] });
      fleet.engine.installed.add("2.1.0");
    }
    openPool(fleet);
    const other = await vi.waitFor(
      async () => {
        const [now] = await ready(fleet);
        expect(now!.id).not.toBe(blank.id);
        return now!;
      },
      { timeout: 20_000, interval: 20 },
    );
    expect([...fleet.world.workspaces.keys()]).toEqual([other.id]);
    expect(other.specHash).toBe(hashRunSpec(fleet.world.get(other.id).run!.spec));
  },
);

test("there are more blanks after more launches, up to the limit, and none on a host short of memory", async () => {
  const { fleet } = await withBlank();
  fleet.startLoop();
  for (const name of ["first", "second", "third", "fourth", "fifth", "sixth", "seventh"])
    await fleet.until(await fleet.want(name), settled);
  const pool = openPool(fleet, { most: 10 });
  await ready(fleet, 3);
  await pool.stop();
  const bounded = openPool(fleet, { most: 2 });
  await ready(fleet, 2);
  await bounded.stop();
  const tight = openPool(fleet, { most: 10, availableMb: () => 1_000 });
  await new Promise((resolve) => setTimeout(resolve, 10 * lookEveryMs));
  await ready(fleet, 2);
  await tight.stop();
  openPool(fleet, { most: 10, availableMb: () => 100 });
  await ready(fleet, 0);
});

test("unless the operator names a number, a host keeps as many as its memory allows: two, one or none", async () => {
  expect([31_000, 15_900, 7_800, 3_800, 1_900, Number.NaN].map((totalMb) => usualMost(totalMb))).toEqual([2, 2, 1, 1, 0, 0]);
  const { fleet } = await withBlank();
  fleet.startLoop();
  for (const name of ["first", "second", "third", "fourth", "fifth", "sixth", "seventh"])
    await fleet.until(await fleet.want(name), settled);
  const pool = openPool(fleet, { most: "auto" });
  await ready(fleet, usualMost());
  await pool.stop();
});

test("while swap is nearly full, blanks leave before customers' sleeping workspaces, and none are made for a while", async () => {
  const { fleet } = await withBlank();
  fleet.world.shortOf = "swap";
  const pool = openPool(fleet);
  await ready(fleet, 0);
  fleet.world.shortOf = undefined;
  await new Promise((resolve) => setTimeout(resolve, 10 * lookEveryMs));
  expect(await listBlanks(fleet.database.db)).toEqual([]);
  await pool.stop();
});

test("a blank that cannot be checked is replaced", async () => {
  const { fleet, blank } = await withBlank();
  const driver = driverOf(fleet);
  const observe: Driver["observe"] = (id) => (id === blank.id ? Promise.reject(new Error("its disk does not answer")) : driver.observe(id));
  const pool = openPool(fleet, { driver: { ...driver, observe } });
  await vi.waitFor(async () => expect((await ready(fleet))[0]!.id).not.toBe(blank.id), { timeout: 20_000, interval: 20 });
  await pool.stop();
});

test("no blank is made while a customer waits for a workspace", async () => {
  await using fleet = await createTestFleet();
  const id = await fleet.want("acme");
  const pool = openPool(fleet);
  await new Promise((resolve) => setTimeout(resolve, 10 * lookEveryMs));
  expect(await listBlanks(fleet.database.db)).toEqual([]);
  fleet.startLoop();
  await fleet.until(id, settled);
  await ready(fleet);
  await pool.stop();
});

test("a workspace that starts and never gets ready keeps the pool empty for only a minute", async () => {
  await using fleet = await createTestFleet();
  const { health } = fleet.engine;
  let hanging = "";
  fleet.engine.health = async (address) => (address === hanging ? { ready: false } : health(address));
  const { ensure } = driverOf(fleet);
  const hang: Driver["ensure"] = async (spec) => {
    const seen = await ensure(spec);
    hanging = seen.address ?? "";
    return seen;
  };
  fleet.startLoop({ driver: { ...driverOf(fleet), ensure: hang }, readyTimeoutMs: hourMs });
  const id = await fleet.want("mallory");
  await fleet.until(id, ({ startedAt }) => startedAt !== null);
  const pool = openPool(fleet);
  await new Promise((resolve) => setTimeout(resolve, 10 * lookEveryMs));
  expect(await listBlanks(fleet.database.db)).toEqual([]);
  await fleet.database.db
    .update(workspaces)
    .set({ startedAt: after(new Date(), -61 * secondMs) })
    .where(eq(workspaces.id, id));
  await ready(fleet);
  expect((await fleet.row(id)).observedState).toBe("starting");
  await pool.stop();
});

test("a workspace whose files are being copied keeps the pool empty for only a minute", async () => {
  await using fleet = await createTestFleet();
  const id = await fleet.want("mallory");
  const copiedSince = async (seconds: number) =>
    fleet.database.db
      .update(workspaces)
      .set({ observedState: "starting", startedAt: null, updatedAt: after(new Date(), -seconds * secondMs) })
      .where(eq(workspaces.id, id));
  await copiedSince(0);
  const pool = openPool(fleet);
  await new Promise((resolve) => setTimeout(resolve, 10 * lookEveryMs));
  expect(await listBlanks(fleet.database.db)).toEqual([]);
  await copiedSince(61);
  await ready(fleet);
  await pool.stop();
});

test("without a pool there are no blanks, and earlier ones are deleted; a host that cannot freeze has none and says why", async () => {
  const { fleet } = await withBlank();
  const off = openPool(fleet, { most: 0 });
  await ready(fleet, 0);
  expect(fleet.world.workspaces.size).toBe(0);
  await off.stop();
  const said: unknown[] = [];
  const log = { ...createLog("silent"), info: (...args: unknown[]) => void said.push(args[0]) } as PoolOptions["log"];
  const driver = createMemoryDriver({ world: fleet.world, clock: systemClock, canFreeze: false });
  const unable = openPool(fleet, { driver, log });
  await vi.waitFor(() => expect(said).toEqual([{ reason: "the simulated host has no freezer" }]), 20_000);
  await new Promise((resolve) => setTimeout(resolve, 5 * lookEveryMs));
  expect(await listBlanks(fleet.database.db)).toEqual([]);
  expect(said).toHaveLength(1);
  await unable.stop();
  // No operator has asked for any.
  await openPool(fleet, { most: "auto", driver, log }).stop();
  expect(said).toHaveLength(1);
});

test("in a cluster, where nothing can be frozen, as many blanks wait awake as its operator sets, wherever they find a place, and none by default", async () => {
  await using fleet = await createTestFleet();
  const memory = createMemoryDriver({ world: fleet.world, clock: systemClock, listen: true, canFreeze: false });
  let hasRoom = false;
  const inCluster = (seen: RunObservation): RunObservation => {
    const { address: _none, ...waiting } = seen;
    return hasRoom || seen.state !== "running" ? seen : { ...waiting, waitsFor: "a node" };
  };
  const driver: Driver = {
    ...memory,
    startsElsewhere: true,
    runsImages: true,
    ensure: async (spec) => inCluster(await memory.ensure(spec)),
    observe: async (id) => inCluster(await memory.observe(id)),
  };
  // This machine's memory and releases do not matter to the cluster.
  fleet.engine.installed.clear();
  const changes = { driver, availableMb: () => 0 };
  await openPool(fleet, { ...changes, most: "auto" }).stop();
  expect(await listBlanks(fleet.database.db)).toEqual([]);
  const pool = openPool(fleet, changes);
  await vi.waitFor(async () => expect(await listBlanks(fleet.database.db)).toMatchObject([{ state: "making" }]), 20_000);
  hasRoom = true;
  const [blank] = await ready(fleet);
  const { instance } = fleet.world.get(blank!.id).run!;
  // It stays while it runs, and no longer.
  await new Promise((resolve) => setTimeout(resolve, 5 * lookEveryMs));
  expect(await listBlanks(fleet.database.db)).toMatchObject([{ id: blank!.id }]);
  await pool.stop();
  fleet.engine.installed.add("2.0.0");
  const id = await fleet.want("acme");
  expect(id).toBe(blank!.id);
  fleet.startLoop({ driver });
  await fleet.until(id, settled);
  expect(fleet.world.get(id).run).toMatchObject({ instance, spec: { generation: 1 } });
  const again = openPool(fleet, changes);
  const [other] = await ready(fleet);
  fleet.world.crash(other!.id);
  await vi.waitFor(async () => expect((await ready(fleet))[0]!.id).not.toBe(other!.id), 20_000);
  await again.stop();
});

test("a blank that cannot be started is deleted, and the next try waits", async () => {
  await using fleet = await createTestFleet();
  let starts = 0;
  const driver: Driver = {
    ...driverOf(fleet),
    ensure: () => {
      starts += 1;
      return Promise.reject(new Error("no room"));
    },
  };
  const pool = openPool(fleet, { driver });
  await vi.waitFor(() => expect(starts).toBe(1), 20_000);
  await ready(fleet, 0);
  await new Promise((resolve) => setTimeout(resolve, 5 * lookEveryMs));
  expect(starts).toBe(1);
  await pool.stop();
});
