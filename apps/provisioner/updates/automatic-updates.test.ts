import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { fleetUpdates, workspaces, workspaceUpdates } from "#database/tables.ts";
import { newestUpdate } from "#domain/updates/update-store.ts";
import { notePresence } from "#domain/workspaces/present-releases.ts";
import { createLog } from "#platform/log.ts";
import { beginFleetUpdate } from "#testing/fleet/fleet-update-scene.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { askForDueUpdates, byBehindSince, releaseFor, type AutomaticUpdates } from "./automatic-updates.ts";

const releases = [
  { version: "2.2.0", channel: "newest" as const },
  { version: "2.1.0", channel: "stable" as const },
  { version: "2.0.0", channel: "stable" as const },
];

test.each([
  ["stable", "2.0.0", "2.1.0"],
  ["newest", "2.0.0", "2.2.0"],
  ["stable", "2.1.0", undefined],
  ["stable", "2.2.0", undefined],
  ["newest", "2.2.0", undefined],
] as const)("channel %s on %s goes to %s", (channel, desiredVersion, expected) => {
  expect(releaseFor({ channel, desiredVersion }, releases)).toBe(expected);
});

test("a version that failed here is not installed automatically again", () => {
  expect(releaseFor({ channel: "stable", desiredVersion: "2.0.0" }, releases, new Set(["2.1.0"]))).toBeUndefined();
});

test("the oldest version has its turn first, and of one version the workspace that has run it longest", () => {
  const [may, june] = [new Date("2026-05-01"), new Date("2026-06-01")];
  const waiting = [
    { desiredVersion: "2.1.0", since: may },
    { desiredVersion: "2.0.0", since: june },
    { desiredVersion: "2.0.0", since: may },
    { desiredVersion: "1.0.0", since: june },
  ];
  // One that has left the list is the oldest.
  expect(waiting.toSorted(byBehindSince(releases))).toEqual([waiting[3], waiting[2], waiting[1], waiting[0]]);
});

test("a workspace on a version that is not offered any more is updated, and one on a version that is newer than all stays on it", () => {
  const offered = releases.slice(0, 2);
  expect(releaseFor({ channel: "stable", desiredVersion: "2.0.0" }, offered, undefined, releases)).toBe("2.1.0");
  expect(releaseFor({ channel: "stable", desiredVersion: "1.9.0" }, offered, undefined, releases)).toBe("2.1.0");
  expect(releaseFor({ channel: "stable", desiredVersion: "9.0.0" }, offered, undefined, releases)).toBeUndefined();
});

/** Sunday, 3:30 UTC: in the default window. */
const inWindow = new Date("2026-11-22T03:30:00Z");
const outside = new Date("2026-11-23T12:00:00Z");

async function online(fleet: TestFleet, name: string, autoUpdate: boolean): Promise<string> {
  const id = await fleet.want(name);
  await fleet.until(id, (row) => row.observedState === "online");
  await fleet.database.db.update(workspaces).set({ autoUpdate }).where(eq(workspaces.id, id));
  return id;
}

test("workspaces with automatic updates are updated in their window, others are not, and at most three at a time", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop();
  const chosen = [
    await online(fleet, "one", true),
    await online(fleet, "two", true),
    await online(fleet, "three", true),
    await online(fleet, "four", true),
  ];
  const other = await online(fleet, "other", false);
  await loop.stop();
  const options = (now: Date): AutomaticUpdates => ({
    db: fleet.database.db,
    clock: { now: () => now },
    log: createLog("silent"),
    engine: "n8n",
    releases,
  });
  expect(await askForDueUpdates(options(outside))).toBe(0);
  expect(await askForDueUpdates(options(inWindow))).toBe(3);
  expect(await askForDueUpdates(options(inWindow))).toBe(0);
  const rows = await Promise.all(chosen.map((id) => fleet.row(id)));
  // The one that came last has run its version for the shortest time.
  expect(rows.map(({ desiredVersion }) => desiredVersion)).toEqual(["2.1.0", "2.1.0", "2.1.0", "2.0.0"]);
  expect((await fleet.row(other)).desiredVersion).toBe("2.0.0");
  const asked = rows.find(({ desiredVersion }) => desiredVersion === "2.1.0")!;
  expect((await newestUpdate(fleet.database.db, asked.id))!.update).toMatchObject({
    askedBy: "window",
    fromVersion: "2.0.0",
    toVersion: "2.1.0",
    state: "running",
  });
  expect(await fleet.journal(asked.id)).toContain("update-requested");
});

test("several workers that look at the same moment begin no more than three together", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop();
  for (const name of ["one", "two", "three", "four", "five"]) await online(fleet, name, true);
  await loop.stop();
  const worker: AutomaticUpdates = {
    db: fleet.database.db,
    clock: { now: () => inWindow },
    log: createLog("silent"),
    engine: "n8n",
    releases,
  };
  const begun = await Promise.all([worker, worker, worker, worker].map(askForDueUpdates));
  expect(begun.reduce((sum, times) => sum + times)).toBe(3);
});

test("three hanging updates do not block the others", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop();
  for (const name of ["one", "two", "three", "four"]) await online(fleet, name, true);
  await loop.stop();
  const at = (minutes: number): AutomaticUpdates => ({
    db: fleet.database.db,
    clock: { now: () => new Date(inWindow.getTime() + minutes * 60_000) },
    log: createLog("silent"),
    engine: "n8n",
    releases,
  });
  expect(await askForDueUpdates(at(0))).toBe(3);
  expect(await askForDueUpdates(at(3))).toBe(0);
  expect(await askForDueUpdates(at(5))).toBe(1);
});

test("no automatic update to a release whose image is missing begins, and the newest one that is present is taken", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop();
  const id = await online(fleet, "one", true);
  await loop.stop();
  const { db } = fleet.database;
  const options: AutomaticUpdates = { db, clock: { now: () => inWindow }, log: createLog("silent"), engine: "n8n", releases };
  const { desiredVersion } = await fleet.row(id);
  const note = (version: string, reason: string | null) => notePresence(db, { engine: "n8n", version, reason }, inWindow);
  for (const { version } of releases) await note(version, version === desiredVersion ? null : "not found");
  expect(await askForDueUpdates(options)).toBe(0);
  for (const { version } of releases) await note(version, null);
  expect(await askForDueUpdates(options)).toBe(1);
});

test("no automatic update takes a version whose fleet update is not over or was rolled back: its waves and gates decide", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop();
  const id = await online(fleet, "one", true);
  await loop.stop();
  const { db } = fleet.database;
  const options: AutomaticUpdates = { db, clock: { now: () => inWindow }, log: createLog("silent"), engine: "n8n", releases };
  await db.update(workspaces).set({ desiredVersion: "2.0.0", observedVersion: "2.0.0", channel: "newest" });
  const { id: bad } = await beginFleetUpdate(fleet, { toVersion: "2.2.0", releases: [] }, { toVersion: "2.2.0" });
  const become = (row: Partial<typeof fleetUpdates.$inferInsert>) => db.update(fleetUpdates).set(row).where(eq(fleetUpdates.id, bad));
  const chosen = async () => {
    const asked = await askForDueUpdates(options);
    const { desiredVersion } = await fleet.row(id);
    await db.delete(workspaceUpdates);
    await db.update(workspaces).set({ desiredVersion: "2.0.0" });
    return asked === 0 ? null : desiredVersion;
  };
  for (const state of ["running", "stopped", "rolling-back"] as const) {
    await become({ state });
    expect(await chosen()).toBe("2.1.0");
  }
  await become({ state: "rolled-back", finishedAt: inWindow });
  expect(await chosen()).toBe("2.1.0");
  await become({ state: "ended" });
  expect(await chosen()).toBe("2.2.0");
  await become({ state: "rolled-back" });
  await beginFleetUpdate(fleet, { toVersion: "2.2.0", releases: [] }, { toVersion: "2.2.0" });
  expect(await chosen()).toBe("2.1.0");
  await db.update(fleetUpdates).set({ state: "done", finishedAt: inWindow });
  expect(await chosen()).toBe("2.2.0");
});

test("a fleet update that begins while an automatic update waits for its turn is respected", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop();
  const id = await online(fleet, "one", true);
  await loop.stop();
  const { db, pool } = fleet.database;
  await db.update(workspaces).set({ desiredVersion: "2.0.0", observedVersion: "2.0.0", channel: "newest" });
  const other = await pool.connect();
  try {
    await other.query("begin");
    await other.query("select pg_advisory_xact_lock(7236494)");
    const asking = askForDueUpdates({ db, clock: { now: () => inWindow }, log: createLog("silent"), engine: "n8n", releases });
    // Of this test's database: others share its server.
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await vi.waitFor(async () => expect((await pool.query(waiting)).rowCount).toBe(1), { timeout: 20_000 });
    await beginFleetUpdate(fleet, { toVersion: "2.2.0", releases: [] }, { toVersion: "2.2.0" });
    await other.query("commit");
    expect(await asking).toBe(0);
  } finally {
    other.release();
  }
  expect((await fleet.row(id)).desiredVersion).toBe("2.0.0");
});
