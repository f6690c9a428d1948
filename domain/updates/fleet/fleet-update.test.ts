/** Fleet updates over real rows. The changes of version themselves are ended by hand here; fleet-updates.slow.test.ts has workers for them. */
import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { accounts, backups, fleetUpdates, usageDays, webhookCalls, workspaces, workspaceUpdates } from "#database/tables.ts";
import { readSignals } from "#domain/signals/read-signals.ts";
import { endReasons } from "#domain/workspaces/stories/stories.ts";
import type { JournalEvent } from "#domain/workspaces/journal-events.ts";
import { writeJournal } from "#domain/workspaces/workspace-store.ts";
import { after, dayMs, hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { createMortal, mortalDatabase } from "#testing/fleet/mortal-process.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { advanceFleetUpdate, type Advanced } from "./advance-fleet-update.ts";
import { directFleetUpdate, type Direction } from "./direct-fleet-update.ts";
import { listHeldVersions, offeredToNew } from "./held-versions.ts";
import {
  insertFleetUpdate,
  listFleetUpdates,
  listHangingRollBacks,
  listPlanned,
  type FleetUpdate,
  type PlannedState,
} from "./fleet-update-store.ts";
import { requestUpdate } from "../request-update.ts";
import { planFleetUpdate, waveSizes, type FleetChoice, type WaveSize } from "./plan-fleet-update.ts";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.close());
beforeEach(
  async () =>
    void (await database.pool.query("begin; set local slipway.changing_money = 'on'; truncate accounts, fleet_updates cascade; commit")),
);

const now = new Date("2026-03-02T12:00:00Z");
const release = (version: string, migrations: number) => ({ version, migrations, releasedAt: "2026-01-01", channel: "stable" as const });
/** 2.3.0 shares its schema with 2.2.0. */
const releases = [release("2.3.0", 3), release("2.2.0", 3), release("2.1.0", 2), release("2.0.0", 1)];

const idsByName = new Map<string, string>();
async function addWorkspace(name: string, row: Partial<typeof workspaces.$inferInsert> = {}): Promise<string> {
  const [id, accountId] = [newId(), newId()];
  idsByName.set(name, id);
  await db.insert(accounts).values({ id: accountId, name, createdAt: after(now, -dayMs) });
  await db.insert(workspaces).values({
    id,
    accountId,
    engine: "n8n",
    desiredState: "running",
    desiredVersion: "2.1.0",
    observedVersion: row.desiredVersion ?? "2.1.0",
    timezone: "Etc/UTC",
    memoryMb: 512,
    secrets: "-",
    observedState: "online",
    observedGeneration: 1,
    ownerSetUpAt: after(now, -hourMs),
    createdAt: after(now, -dayMs),
    updatedAt: after(now, -minuteMs),
    ...row,
  });
  return id;
}

const sizes = (...numbers: number[]): WaveSize[] => numbers.map((number) => ({ workspaces: number }));
const choose = (choice: Partial<FleetChoice> = {}): FleetChoice => ({
  engine: "n8n",
  releases,
  toVersion: "2.2.0",
  canaries: [],
  only: null,
  except: [],
  allowsDowngrade: false,
  waves: sizes(1, 2),
  ...choice,
});

async function begin(choice: Partial<FleetChoice> = {}, limits: Partial<FleetUpdate> = {}): Promise<FleetUpdate> {
  const made = choose(choice);
  const plan = await planFleetUpdate(db, made);
  const row = await insertFleetUpdate(
    db,
    {
      engine: "n8n",
      toVersion: made.toVersion,
      waves: plan.waves.length,
      soakSeconds: 120,
      atOnce: 3,
      mostFailures: 1,
      mostFailedPercent: 10,
      operator: "ada",
      reason: null,
      ...limits,
    },
    plan.rows,
    now,
  );
  return row!;
}

/** A worker's look, repeated while there is more to do. */
async function advance(at = now, on: Database = db): Promise<Advanced["kind"]> {
  for (;;) {
    const { kind } = await advanceFleetUpdate({ db: on, engine: "n8n", clock: { now: () => at } });
    if (kind !== "again") return kind;
  }
}

/** As if the last look had been that long ago. */
const letPass = (ms: number) =>
  database.pool.query("update fleet_updates set stepped_at = stepped_at - make_interval(secs => $1)", [ms / 1000]);

/** Looks every 30 seconds for that long. */
async function watch(ms: number): Promise<Advanced["kind"]> {
  let kind: Advanced["kind"] = "waits";
  for (let passed = 0; passed < ms && kind === "waits"; passed += 30 * secondMs) {
    await letPass(30 * secondMs);
    kind = await advance();
  }
  return kind;
}

const openUpdates = () =>
  db
    .select()
    .from(workspaceUpdates)
    .where(sql`finished_at is null`);

/** Ends every change of version that is under way, as a worker does. */
async function finishAll(state: "successful" | "rolled-back" | "failed" = "successful", reason: string | null = null): Promise<number> {
  const open = await openUpdates();
  for (const { id, workspaceId, fromVersion, toVersion } of open) {
    const { accountId } = await rowOf(workspaceId);
    const backupId = newId();
    const made = { id: backupId, accountId, workspaceId, kind: "before-update", engine: "n8n", engineVersion: fromVersion } as const;
    await db.insert(backups).values({ ...made, state: "successful", keptUntil: after(now, 7 * dayMs), createdAt: now, finishedAt: now });
    await db.update(workspaceUpdates).set({ state, reason, backupId, snapshotAt: now, finishedAt: now }).where(eq(workspaceUpdates.id, id));
    const version = state === "successful" ? toVersion : fromVersion;
    await db.update(workspaces).set({ desiredVersion: version, observedVersion: version }).where(eq(workspaces.id, workspaceId));
    await journal(workspaceId, "updated");
  }
  return open.length;
}

const rowOf = async (id: string) => (await db.select().from(workspaces).where(eq(workspaces.id, id)))[0]!;
const change = (name: string, row: Partial<typeof workspaces.$inferInsert>) =>
  db
    .update(workspaces)
    .set(row)
    .where(eq(workspaces.id, idsByName.get(name)!));
const journal = (id: string, event: JournalEvent, at = now) => writeJournal(db, id, { event, message: say("died") }, at);
const current = async (): Promise<FleetUpdate> => (await listFleetUpdates(db, "n8n", 1))[0]!;
const direct = (id: string, direction: Direction) => directFleetUpdate(db, { id, direction, operator: "grace", reason: "ticket 7" }, now);

const allStates: PlannedState[] = ["waiting", "left-out", "updating", "updated", "failed", "rolling-back", "rolled-back", "kept"];
/** `name: state reason`, by name. */
async function states(id: string): Promise<string[]> {
  const planned = await listPlanned(db, { id, states: allStates });
  return planned
    .map(({ accountName, state, reason, trouble }) => `${accountName}: ${[state, reason, trouble].filter(Boolean).join(" ")}`)
    .toSorted();
}

test.each<[WaveSize[], number, number[]]>([
  [[...sizes(1, 5, 25), { percent: 100 }], 40, [1, 5, 25, 9]],
  [[...sizes(1, 5, 25), { percent: 100 }], 3, [1, 2]],
  [[{ percent: 10 }], 25, [3, 3, 3, 3, 3, 3, 3, 3, 1]],
  [sizes(2), 5, [2, 2, 1]],
  [sizes(1, 5), 0, []],
])("waves of %j over %i workspaces are %j", (waves, total, expected) => {
  expect(waveSizes(waves, total)).toEqual(expected);
});

test("a plan names every workspace that it leaves out with the reason, canaries first, sleepers and those not online last", async () => {
  await addWorkspace("a-offline", { observedState: "offline" });
  await addWorkspace("b-asleep", { asleepSince: now });
  await addWorkspace("c-awake");
  await addWorkspace("d-canary");
  await addWorkspace("e-there", { desiredVersion: "2.2.0" });
  await addWorkspace("f-newer", { desiredVersion: "2.3.0" });
  await addWorkspace("g-unknown", { desiredVersion: "9.0.0" });
  await addWorkspace("h-stopped", { desiredState: "stopped" });
  await addWorkspace("i-suspended", { desiredState: "stopped", resumesAs: "running" });
  await addWorkspace("j-deleted", { desiredState: "deleted" });
  await addWorkspace("k-excluded");
  const failed = await addWorkspace("l-failed");
  await db.insert(workspaceUpdates).values({
    id: newId(),
    workspaceId: failed,
    life: 1,
    fromVersion: "2.1.0",
    toVersion: "2.2.0",
    askedBy: "operator",
    state: "rolled-back",
    startedAt: now,
    finishedAt: now,
  });
  const plan = await planFleetUpdate(db, choose({ canaries: ["d-canary"], except: ["k-excluded"] }));
  const names = new Map([...idsByName].map(([name, id]) => [id, name]));
  expect(plan.rows.filter(({ wave }) => wave > 0).map(({ workspaceId, wave }) => [names.get(workspaceId), wave])).toEqual([
    ["d-canary", 1],
    ["c-awake", 2],
    ["b-asleep", 3],
    ["a-offline", 3],
  ]);
  expect(plan).toMatchObject({ waves: [1, 1, 2], asleep: 1, notReady: 1, already: 1 });
  expect(plan.leftOut).toEqual([
    { accountName: "f-newer", reason: "newer" },
    { accountName: "g-unknown", reason: "newer" },
    { accountName: "h-stopped", reason: "stopped" },
    { accountName: "i-suspended", reason: "suspended" },
    { accountName: "k-excluded", reason: "excluded" },
    { accountName: "l-failed", reason: "failed-before" },
  ]);
  // A downgrade only where the data can be opened, and only when it is asked for.
  const down = await planFleetUpdate(db, choose({ allowsDowngrade: true, only: ["f-newer", "g-unknown", "l-failed"] }));
  expect(down.leftOut.filter(({ reason }) => reason !== "excluded" && reason !== "stopped" && reason !== "suspended")).toEqual([
    { accountName: "g-unknown", reason: "not-possible" },
  ]);
  expect(down.rows.filter(({ wave }) => wave > 0).map(({ workspaceId }) => names.get(workspaceId))).toEqual(["f-newer", "l-failed"]);
  await expect(planFleetUpdate(db, choose({ canaries: ["nobody", "c-awake"] }))).rejects.toThrow(
    "These accounts have no n8n workspace: nobody.",
  );
  await expect(planFleetUpdate(db, choose({ canaries: ["f-newer"] }))).rejects.toThrow(
    "These canaries cannot be updated: f-newer (newer).",
  );
});

test("wave follows wave: a few updates at a time, and each wave is watched before the next one begins", async () => {
  for (let n = 0; n < 6; n++) await addWorkspace(`w${n}`);
  const { id } = await begin({ waves: sizes(1, 5) }, { atOnce: 2 });
  expect(await insertFleetUpdate(db, { ...(await current()), toVersion: "2.3.0" }, [], now)).toBeNull();
  expect(await advance()).toBe("waits");
  expect(await openUpdates()).toMatchObject([{ askedBy: "operator", fromVersion: "2.1.0", toVersion: "2.2.0" }]);
  await watch(10 * minuteMs);
  expect(await openUpdates()).toHaveLength(1);
  await finishAll();
  expect(await watch(90 * secondMs)).toBe("waits");
  expect(await current()).toMatchObject({ wave: 1, state: "running" });
  expect(await openUpdates()).toHaveLength(0);
  await watch(30 * secondMs);
  expect(await current()).toMatchObject({ wave: 2 });
  const begun: number[] = [];
  for (let finished = 1; finished > 0; await advance()) begun.push((finished = await finishAll()));
  expect(begun).toEqual([2, 2, 1, 0]);
  expect(await watch(3 * minuteMs)).toBe("done");
  expect(await current()).toMatchObject({ state: "done", finishedAt: now });
  expect(await states(id)).toEqual(["w0: updated", "w1: updated", "w2: updated", "w3: updated", "w4: updated", "w5: updated"]);
  expect(await advance()).toBe("nothing");
});

/** A fleet update of three whose first wave, one workspace, is updated. */
async function firstUpdated(limits: Partial<FleetUpdate> = {}): Promise<FleetUpdate> {
  for (const name of ["w1", "w2", "w3"]) await addWorkspace(name);
  const update = await begin({ waves: sizes(1, 2) }, limits);
  await advance();
  await finishAll();
  expect(await advance()).toBe("waits");
  return update;
}

const executions = async (name: string, date: string, count: number, failed: number) => {
  const { accountId } = await rowOf(idsByName.get(name)!);
  await db
    .insert(usageDays)
    .values({ accountId, date, executions: count, failed })
    .onConflictDoUpdate({ target: [usageDays.accountId, usageDays.date], set: { executions: count, failed } });
};

test.each<[string, () => Promise<unknown>, string]>([
  ["crashes", () => journal(idsByName.get("w1")!, "died"), "w1 crashed after its update"],
  ["is offline", () => change("w1", { observedState: "offline" }), "w1 is offline after its update"],
  ["has not answered for a minute", () => change("w1", { unhealthySince: after(now, -61 * secondMs) }), "w1 is offline after its update"],
])("a workspace that %s after its update stops the fleet; resumed, the same one does not stop it again", async (_how, breakIt, reason) => {
  const { id } = await firstUpdated();
  await breakIt();
  expect(await advance()).toBe("stopped");
  expect(await current()).toMatchObject({ state: "stopped", stopReason: reason, stoppedAt: now, stoppedBy: null });
  expect(await watch(10 * minuteMs)).toBe("waits");
  expect(await openUpdates()).toHaveLength(0);
  expect(await direct(id, "stop")).toEqual({ refused: `The fleet update ${id} is stopped.` });
  expect(await direct(id, "resume")).toMatchObject({ update: { id } });
  expect(await watch(2 * minuteMs)).toBe("waits");
  expect(await current()).toMatchObject({ state: "running", wave: 2, stopReason: null });
  expect(await openUpdates()).toHaveLength(2);
  await finishAll();
  await advance();
  await journal(idsByName.get("w2")!, "out-of-memory");
  expect(await advance()).toBe("stopped");
  expect((await current()).stopReason).toBe("w2 crashed after its update");
});

test("a crash before the update, or of a workspace that crashed in the week before, stops nothing; nor does one that sleeps", async () => {
  const id = await addWorkspace("w1");
  await journal(id, "died", after(now, -2 * dayMs));
  const slept = await addWorkspace("w2");
  await begin({ waves: sizes(2) });
  await advance();
  await journal(slept, "start-delayed");
  await finishAll();
  await advance();
  await journal(id, "died");
  await change("w2", { asleepSince: now, observedState: "offline" });
  expect(await watch(2 * minuteMs)).toBe("done");
});

test("a failed update stops the fleet with its reason, and updates under way are still noted", async () => {
  for (const name of ["w1", "w2"]) await addWorkspace(name);
  const { id } = await begin({ waves: sizes(2) });
  await advance();
  const [first] = await openUpdates();
  await db
    .update(workspaceUpdates)
    .set({ state: "rolled-back", reason: "It did not answer.", finishedAt: now })
    .where(eq(workspaceUpdates.id, first!.id));
  expect(await advance()).toBe("stopped");
  expect((await current()).stopReason).toMatch(/^w\d could not be updated: It did not answer\.$/);
  await finishAll();
  await advance();
  expect((await states(id)).map((line) => line.slice(4)).toSorted()).toEqual(["failed It did not answer.", "updated"]);
});

test("as many troubles as the operator allows do not stop it", async () => {
  await firstUpdated({ mostFailures: 2 });
  await journal(idsByName.get("w1")!, "died");
  expect(await watch(2 * minuteMs)).toBe("waits");
  expect(await current()).toMatchObject({ state: "running", wave: 2 });
  await finishAll("failed", "no");
  expect(await advance()).toBe("stopped");
});

test("an update that has not finished within 15 minutes stops the fleet, and counts as finished if it ends well", async () => {
  await addWorkspace("w1");
  const { id } = await begin();
  await advance();
  expect(await watch(15 * minuteMs)).toBe("stopped");
  expect(await states(id)).toEqual(["w1: updating unfinished"]);
  await finishAll();
  await direct(id, "resume");
  await advance();
  expect(await states(id)).toEqual(["w1: updated"]);
  // That it was late was accepted; a crash was not.
  await journal(idsByName.get("w1")!, "died");
  expect(await advance()).toBe("stopped");
});

test("more failed executions than before stop the fleet: by their share, and only if there are enough of them", async () => {
  for (const name of ["w1", "w2"]) await addWorkspace(name);
  await executions("w1", "2026-02-27", 900, 45);
  await executions("w1", "2026-03-02", 100, 5);
  await executions("w2", "2026-02-27", 4, 0);
  const { id } = await begin({ waves: sizes(2) }, { soakSeconds: 600 });
  await advance();
  await finishAll();
  await advance();
  await executions("w1", "2026-03-02", 119, 24);
  await executions("w2", "2026-03-02", 100, 100);
  expect(await watch(minuteMs)).toBe("waits");
  await executions("w1", "2026-03-02", 130, 9);
  expect(await watch(minuteMs)).toBe("waits");
  await executions("w1", "2026-03-02", 130, 10);
  expect(await advance()).toBe("stopped");
  expect(await states(id)).toEqual(["w1: updated fails-more", "w2: updated"]);
  expect((await current()).stopReason).toBe("w1 has more failed executions than before its update");
});

test("no wave ends while an updated workspace is not up, even after its soak time", async () => {
  await firstUpdated();
  await change("w1", { observedState: "starting" });
  expect(await watch(20 * minuteMs)).toBe("waits");
  expect(await current()).toMatchObject({ state: "running", wave: 1 });
  await change("w1", { observedState: "online" });
  await advance();
  expect(await current()).toMatchObject({ wave: 2 });
});

test("workspaces that are not ready are waited for, then left out with the reason; the others are updated", async () => {
  await addWorkspace("w1", { observedState: "offline" });
  await addWorkspace("w2", { observedState: "starting" });
  const busy = await addWorkspace("w3");
  await addWorkspace("w4", { observedState: "offline" });
  await addWorkspace("w5");
  const open = {
    id: newId(),
    workspaceId: busy,
    life: 1,
    fromVersion: "2.1.0",
    toVersion: "2.1.0",
    askedBy: "owner",
    startedAt: now,
  } as const;
  const { id } = await begin({ waves: sizes(9) });
  await db.insert(workspaceUpdates).values(open);
  await advance();
  await db
    .update(workspaceUpdates)
    .set({ state: "successful", finishedAt: now })
    .where(eq(workspaceUpdates.workspaceId, idsByName.get("w5")!));
  await change("w5", { observedVersion: "2.2.0" });
  await watch(5 * minuteMs);
  await change("w4", { observedState: "online" });
  await advance();
  expect(await states(id)).toEqual(["w1: waiting", "w2: waiting", "w3: waiting", "w4: updating", "w5: updated"]);
  await db
    .update(workspaceUpdates)
    .set({ state: "successful", finishedAt: now })
    .where(eq(workspaceUpdates.workspaceId, idsByName.get("w4")!));
  await watch(11 * minuteMs);
  expect(await states(id)).toEqual(["w1: left-out offline", "w2: left-out starting", "w3: left-out busy", "w4: updated", "w5: updated"]);
  expect(await watch(3 * minuteMs)).toBe("done");
});

test("what customers do meanwhile leaves their workspaces out, and stops nothing", async () => {
  for (const name of ["w1", "w2", "w3", "w4", "w5", "w6"]) await addWorkspace(name);
  const { id } = await begin({ waves: sizes(3, 3) }, { soakSeconds: 0 });
  await change("w4", { desiredVersion: "2.3.0" });
  await change("w5", { desiredState: "stopped" });
  await change("w6", { life: 2 });
  await advance();
  const byWorkspace = new Map((await openUpdates()).map((row) => [row.workspaceId, row.id]));
  const end = (name: string, reason: string) =>
    db
      .update(workspaceUpdates)
      .set({ state: "failed", reason, finishedAt: now })
      .where(eq(workspaceUpdates.id, byWorkspace.get(idsByName.get(name)!)!));
  await end("w1", endReasons.deletion);
  await end("w2", endReasons.overruled);
  // Its plan has ended: the update waits until it runs again, and is not waited for.
  await change("w3", { desiredState: "stopped" });
  expect(await watch(minuteMs)).toBe("done");
  expect(await states(id)).toEqual([
    "w1: left-out changed",
    "w2: left-out changed",
    "w3: left-out stopped",
    "w4: left-out changed",
    "w5: left-out stopped",
    "w6: left-out changed",
  ]);
});

test.each([-3650, -1, 1, 3650])("a service's clock that jumps by %i days makes no wave shorter or longer", async (days) => {
  await firstUpdated();
  for (let looks = 0; looks < 3; looks++) {
    await letPass(30 * secondMs);
    expect(await advance(after(now, days * dayMs))).toBe("waits");
  }
  expect(await current()).toMatchObject({ state: "running", wave: 1 });
  await letPass(30 * secondMs);
  await advance();
  expect(await current()).toMatchObject({ state: "running", wave: 2 });
});

test.each([
  ["ahead", 10 * 365 * dayMs],
  ["back", -10 * 365 * dayMs],
])("a database's clock that is set %s, or a worker that was away, counts as half a minute of watching at most", async (_how, ms) => {
  await firstUpdated();
  for (let jumps = 0; jumps < 3; jumps++) {
    await letPass(ms);
    await advance();
  }
  expect(await current()).toMatchObject({ state: "running", wave: 1 });
  expect((await current()).soakedMs).toBeLessThanOrEqual(90 * secondMs + 1_000);
  await watch(2 * minuteMs);
  expect(await current()).toMatchObject({ wave: 2 });
});

test("several workers that look at the same moment begin no more updates than one", async () => {
  for (let n = 0; n < 6; n++) await addWorkspace(`w${n}`);
  await begin({ waves: sizes(6) }, { atOnce: 3 });
  await Promise.all([1, 2, 3, 4].map(() => advance()));
  expect(await openUpdates()).toHaveLength(3);
});

test("nothing begins after a stop has returned, whatever a worker is doing at that moment", async () => {
  for (let n = 0; n < 6; n++) await addWorkspace(`w${n}`);
  const { id } = await begin({ waves: sizes(6) }, { atOnce: 6 });
  const working = advance();
  await direct(id, "stop");
  const begun = (await openUpdates()).length;
  await working;
  await advance();
  expect(await openUpdates()).toHaveLength(begun);
  expect(await current()).toMatchObject({ state: "stopped", stoppedBy: "grace", stopReason: "ticket 7" });
});

/** Advances with workers that are killed at each step, each one a step later than the last, until one survives. */
async function advanceKilled(diesBefore: boolean): Promise<number> {
  for (let lifetime = 0; ; lifetime++) {
    const mortal = createMortal(lifetime, diesBefore);
    await advance(now, mortalDatabase(database.pool, mortal)).catch(() => null);
    if (!mortal.isDead()) return lifetime;
  }
}

test.each([true, false])("a worker killed at any step loses nothing and does nothing twice (before the step: %s)", async (diesBefore) => {
  for (const name of ["w1", "w2", "w3"]) await addWorkspace(name);
  const { id } = await begin({ waves: sizes(1, 2) }, { soakSeconds: 0 });
  let steps = 0;
  for (let rounds = 0; rounds < 4; rounds++) {
    steps += await advanceKilled(diesBefore);
    await finishAll();
  }
  expect(steps).toBeGreaterThan(20);
  expect(await current()).toMatchObject({ state: "done" });
  expect(await states(id)).toEqual(["w1: updated", "w2: updated", "w3: updated"]);
  expect(await db.select().from(workspaceUpdates)).toHaveLength(3);
  await direct(id, "roll-back");
  for (let rounds = 0; rounds < 3; rounds++) {
    await advanceKilled(diesBefore);
    await finishAll();
  }
  expect(await current()).toMatchObject({ state: "rolled-back" });
  expect(await states(id)).toEqual(["w1: rolled-back", "w2: rolled-back", "w3: rolled-back"]);
  expect(await db.select().from(workspaceUpdates)).toHaveLength(6);
});

test("a resumed wave is watched for a whole soak time once more", async () => {
  const { id } = await firstUpdated();
  await watch(90 * secondMs);
  await direct(id, "stop");
  await direct(id, "resume");
  await watch(90 * secondMs);
  expect(await current()).toMatchObject({ state: "running", wave: 1 });
  await watch(30 * secondMs);
  expect(await current()).toMatchObject({ wave: 2 });
});

test("an ended one leaves the rest as it is, and another one can begin", async () => {
  const { id } = await firstUpdated();
  expect(await direct(id, "end")).toEqual({ refused: `The fleet update ${id} is running.` });
  await direct(id, "stop");
  await direct(id, "end");
  expect(await states(id)).toEqual(["w1: updated", "w2: left-out ended-first", "w3: left-out ended-first"]);
  const next = await begin();
  expect(await direct(id, "roll-back")).toEqual({ refused: expect.stringContaining(`Another fleet update is running: ${next.id}`) });
  expect(await direct(randomUUID(), "stop")).toEqual({ refused: expect.stringMatching(/^There is no fleet update/) });
});

test("a stopped one ends although an update of a workspace hangs, and says which", async () => {
  await addWorkspace("w1");
  const { id } = await begin();
  await advance();
  expect(await watch(15 * minuteMs)).toBe("stopped");
  expect(await direct(id, "end")).toMatchObject({ update: { id } });
  expect(await current()).toMatchObject({ state: "ended", finishedAt: now });
  expect(await states(id)).toEqual(["w1: left-out ended-meanwhile unfinished"]);
  await finishAll();
  expect(await advance()).toBe("nothing");
  await begin();
});

test("new workspaces begin with the newest version that no fleet update holds, until it is done or ended", async () => {
  await addWorkspace("w1");
  const offered = async (of = releases) => offeredToNew(db, { engine: "n8n", version: of[0]!.version, releases: of }, now);
  expect((await offered()).version).toBe("2.3.0");
  const { id } = await begin({ toVersion: "2.3.0" });
  expect((await offered()).version).toBe("2.2.0");
  // Owners may still choose it, and a launch never waits for a version.
  expect((await offered()).releases).toEqual(releases);
  expect((await offered(releases.slice(0, 1))).version).toBe("2.3.0");
  await direct(id, "stop");
  expect((await offered()).version).toBe("2.2.0");
  await direct(id, "end");
  expect((await offered()).version).toBe("2.3.0");
});

test("each host has its pace: a full one keeps no other waiting, neither in a wave nor in a rollback", async () => {
  for (const [name, host] of [
    ["w1", "one"],
    ["w2", "one"],
    ["w3", "two"],
  ] as const)
    await addWorkspace(name, { host });
  const { id } = await begin({ waves: sizes(3) }, { atOnce: 1 });
  await advance();
  expect(await states(id)).toEqual(["w1: updating", "w2: waiting", "w3: updating"]);
  await finishAll();
  await advance();
  await finishAll();
  await advance();
  expect(await states(id)).toEqual(["w1: updated", "w2: updated", "w3: updated"]);
  await direct(id, "roll-back");
  await advance();
  expect(await states(id)).toEqual(["w1: rolling-back", "w2: updated", "w3: rolling-back"]);
});

test("a rollback of the whole ends although that of a workspace hangs; its version stays held, and another update can begin", async () => {
  for (const name of ["w1", "w2", "w3"]) await addWorkspace(name);
  const { id } = await begin({ waves: sizes(3) }, { atOnce: 1 });
  for (let looks = 0; looks < 4; looks++) {
    await advance();
    await finishAll();
  }
  await direct(id, "roll-back");
  await advance();
  await finishAll();
  await advance();
  expect(await states(id)).toEqual(["w1: rolled-back", "w2: rolling-back", "w3: updated"]);
  expect(await watch(14 * minuteMs)).toBe("waits");
  expect(await listHangingRollBacks(db)).toEqual([]);
  expect(await watch(minuteMs)).toBe("waits");
  expect(await listHangingRollBacks(db)).toEqual([{ toVersion: "2.2.0", accountNames: ["w2"] }]);
  expect((await readSignals(db, now)).find(({ promise }) => promise === "fleet_update")?.failures).toEqual({ hangs: 1 });
  expect(await direct(id, "end")).toMatchObject({ update: { id } });
  expect(await states(id)).toEqual(["w1: rolled-back", "w2: kept ended-meanwhile", "w3: kept ended-first"]);
  expect(await current()).toMatchObject({ state: "rolled-back", finishedAt: now });
  expect(await listHangingRollBacks(db)).toEqual([]);
  expect(await listHeldVersions(db, "n8n")).toEqual(new Set(["2.2.0"]));
  expect(await direct(id, "end")).toEqual({ refused: `The fleet update ${id} is rolled-back.` });
  await begin({ toVersion: "2.3.0" });
});

test("a crash counts from the end of the update on, however late its outcome is noted", async () => {
  const id = await addWorkspace("w1");
  await begin();
  await advance();
  await finishAll();
  await journal(id, "died");
  expect(await advance()).toBe("stopped");
  expect((await current()).stopReason).toBe("w1 crashed after its update");
});

test("a rollback of the whole puts the backup of each workspace back, and counts what was made since", async () => {
  for (const name of ["w1", "w2", "w3", "w4", "w5", "w6", "w7"]) await addWorkspace(name);
  await executions("w1", "2026-03-02", 40, 1);
  const { id } = await begin({ waves: sizes(6, 1) }, { atOnce: 6 });
  await advance();
  await finishAll();
  await advance();
  await executions("w1", "2026-03-02", 52, 1);
  await executions("w1", "2026-03-03", 8, 0);
  const calls = { spanMinutes: 1, clientErrors: 0, failed: 0, waited: 0, latency: [] };
  for (const [minutes, count] of [
    [-10, 100],
    [0, 3],
    [5, 4],
  ] as const)
    await db.insert(webhookCalls).values({ ...calls, workspaceId: idsByName.get("w1")!, at: after(now, minutes * minuteMs), calls: count });
  const updates = new Map((await db.select().from(workspaceUpdates)).map((row) => [row.workspaceId, row]));
  // Its owner has chosen another version; has gone back; has no plan; its backup is gone.
  await change("w2", { desiredVersion: "2.3.0" });
  await change("w3", { desiredVersion: "2.1.0" });
  await change("w4", { desiredState: "stopped" });
  await db
    .update(backups)
    .set({ state: "removed" })
    .where(eq(backups.id, updates.get(idsByName.get("w5")!)!.backupId!));
  // A later update that failed.
  await db.insert(workspaceUpdates).values({
    id: newId(),
    workspaceId: idsByName.get("w6")!,
    life: 1,
    fromVersion: "2.2.0",
    toVersion: "2.3.0",
    askedBy: "owner",
    state: "rolled-back",
    startedAt: after(now, minuteMs),
    finishedAt: after(now, 2 * minuteMs),
  });
  await direct(id, "roll-back");
  await advance();
  expect(await openUpdates()).toMatchObject([
    {
      workspaceId: idsByName.get("w1"),
      fromVersion: "2.2.0",
      toVersion: "2.1.0",
      restoreBackupId: updates.get(idsByName.get("w1")!)!.backupId,
    },
  ]);
  expect(await states(id)).toEqual([
    "w1: rolling-back",
    "w2: kept changed",
    "w3: kept changed",
    "w4: kept stopped",
    "w5: kept no-backup",
    "w6: kept changed",
    "w7: left-out rolled-back-first",
  ]);
  const [first] = await listPlanned(db, { id, states: ["rolling-back"] });
  expect(first).toMatchObject({ executionsSince: 20, webhookCallsSince: 7 });
  await finishAll();
  expect(await advance()).toBe("rolled-back");
  expect(await current()).toMatchObject({ state: "rolled-back", stoppedBy: "grace", stopReason: "ticket 7", finishedAt: now });
  expect((await states(id))[0]).toBe("w1: rolled-back");
});

test("a rollback waits for updates under way and for its turn, and a failed one is said", async () => {
  for (let n = 1; n <= 4; n++) await addWorkspace(`w${n}`);
  const { id } = await begin({ waves: sizes(4) }, { atOnce: 2 });
  await advance();
  await direct(id, "roll-back");
  expect(await advance()).toBe("waits");
  expect(await states(id)).toEqual(["w1: updating", "w2: updating", "w3: left-out rolled-back-first", "w4: left-out rolled-back-first"]);
  await finishAll();
  expect(await advance()).toBe("waits");
  expect(await openUpdates()).toHaveLength(2);
  await finishAll("failed", "The backup could not be restored.");
  expect(await advance()).toBe("rolled-back");
  expect((await states(id)).slice(0, 2)).toEqual([
    "w1: kept The backup could not be restored.",
    "w2: kept The backup could not be restored.",
  ]);
});

test("a fleet update that is done can be rolled back, as long as no other is unfinished", async () => {
  await addWorkspace("w1");
  const { id } = await begin({}, { soakSeconds: 0 });
  await advance();
  await finishAll();
  expect(await advance()).toBe("done");
  await direct(id, "roll-back");
  await advance();
  await finishAll();
  expect(await advance()).toBe("rolled-back");
  expect(await db.select().from(fleetUpdates)).toHaveLength(1);
});

test("a version that was chosen and not begun is in the way of another update, whose history would name a version that never ran", async () => {
  const workspaceId = await addWorkspace("chose", { desiredVersion: "2.1.0", observedVersion: "2.0.0" });
  const line = { event: "update-requested", message: say("updateRequestedByService", { version: "2.2.0" }) } as const;
  const ask = () =>
    requestUpdate(db, { workspaceId, fromVersion: "2.1.0", toVersion: "2.2.0", askedBy: "operator", line }, now).catch(
      (error: Error) => error.name,
    );
  expect(await ask()).toBe("StoryInTheWay");
  await db.update(workspaces).set({ observedVersion: "2.1.0" }).where(eq(workspaces.id, workspaceId));
  expect(await ask()).toMatchObject({ fromVersion: "2.1.0", toVersion: "2.2.0" });
});
