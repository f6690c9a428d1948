/** Two hosts of one service, each a simulated machine with its own worker, over one database and one storage of backups. */
import { readFile } from "node:fs/promises";
import { and, eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { backups, blanks, hosts, workspaceJournal, workspaces } from "#database/tables.ts";
import { declareLost, forgetLostHost, listHosted, restoreElsewhere } from "#domain/backups/restores/restore-elsewhere.ts";
import { addBlank, listBlanks, offerBlank } from "#domain/workspaces/blanks/blank-store.ts";
import { beatHost, listHosts, placeNext, setDraining } from "#domain/workspaces/hosts/host-store.ts";
import { joinHost } from "#domain/workspaces/hosts/join-host.ts";
import { claimDue, claimDueAmong, claimWorkspace } from "#domain/workspaces/observed/claim-workspaces.ts";
import { isStillToStart, readHeld, writeObservation } from "#domain/workspaces/observed/observation-store.ts";
import { systemClock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { waitForLocks } from "#testing/database/held-lock.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { createBackups } from "../backups/create-backups.ts";
import { createBackupSlots } from "../backups/backup-slots.ts";
import { createMemoryDriver } from "../drivers/memory/create-memory-driver.ts";
import { MemoryWorld } from "../drivers/memory/memory-world.ts";
import type { ReconcileLoop } from "../reconcile/reconcile-loop.ts";
import { keepHost, type KeptHost } from "./keep-host.ts";
import { startMovingOut } from "./move-out.ts";

const log = createLog("silent");
const clock = systemClock;
const room = { wake: 9, start: 9, stop: 9, look: 9, retry: 9 };
const beatMs = 50;

interface TestHost {
  name: string;
  world: MemoryWorld;
  kept: KeptHost;
  loop: ReconcileLoop;
  /** The worker dies, and its workspaces keep running. */
  die(): Promise<void>;
}

/** A machine with a worker; with a given world, that machine again. */
async function startHost(fleet: TestFleet, name: string, freeMb: number, world = new MemoryWorld(clock)): Promise<TestHost> {
  const { db } = fleet.database;
  const driver = createMemoryDriver({ world, clock, listen: true });
  const address = `127.0.0.1:${name === "one" ? 1 : 2}`;
  const kept = await keepHost({ db, driver, name, address, availableMb: () => freeMb, onLost: () => undefined, log }, beatMs);
  const leaving = startMovingOut({ db, host: kept, clock, log }, beatMs);
  const loop = fleet.startLoop({
    driver,
    host: kept,
    leaving,
    backups: createBackups({ ...fleet.backupTools, driver, host: name, slots: createBackupSlots() }),
    probeThroughGateway: async () => true,
  });
  const unwatch = world.listen((id) => loop.noticeExit(id));
  const die = async (): Promise<void> => {
    unwatch();
    await Promise.all([kept.stop(), leaving.stop(), loop.stop()]);
  };
  onTestFinished(async () => {
    await die();
    world.close();
  });
  return { name, world, kept, loop, die };
}

const openFleet = async (): Promise<TestFleet> => {
  const fleet = await createTestFleet();
  onTestFinished(() => fleet.close());
  return fleet;
};

/** As if its worker had sent no heartbeat for a while. */
const silence = (fleet: TestFleet, name: string) =>
  fleet.database.pool.query("update hosts set seen_at = clock_timestamp() - interval '1 minute' where name = $1", [name]);

const messages = async (fleet: TestFleet, id: string) =>
  (await fleet.database.db.select().from(workspaceJournal).where(eq(workspaceJournal.workspaceId, id)).orderBy(workspaceJournal.id)).map(
    ({ event, message }) => ({ event, message }),
  );

/** An online workspace of this host with some content. */
async function runOn(fleet: TestFleet, name: string, host: TestHost): Promise<string> {
  const id = await fleet.want(name);
  await fleet.until(id, (row) => row.observedState === "online" && row.ownerSetUpAt !== null);
  expect((await fleet.row(id)).host).toBe(host.name);
  const { storage } = host.world.get(id);
  storage.set("things/count.json", '{"workflows":1,"credentials":0,"executions":0}');
  storage.set("things/flows.json", "kept");
  return id;
}

const backUp = async (fleet: TestFleet, id: string, host: TestHost) => {
  const driver = createMemoryDriver({ world: host.world, clock, listen: true });
  const row = await fleet.row(id);
  return createBackups({ ...fleet.backupTools, driver }).make({ ...row, accountName: "acme" }, "nightly");
};

test("a new workspace goes to the living host with the most free memory, and to no draining, silent or dead one", async () => {
  const { database, ...fleet } = await openFleet();
  const { db } = database;
  const [one, two] = [
    { name: "one", address: null, freeMb: 4_000 },
    { name: "two", address: null, freeMb: 5_000 },
  ];
  const join = async () => {
    await db.delete(hosts);
    for (const each of [one, two]) await joinHost(db, each);
  };
  const place = async (wanted: string) => {
    const id = await fleet.want(wanted);
    expect((await fleet.row(id)).host).toBeNull();
    const now = new Date();
    const placedBy = [await placeNext(db, "one", now), await placeNext(db, "two", now)];
    expect(placedBy.filter(Boolean)).toHaveLength(1);
    return (await fleet.row(id)).host;
  };
  await join();
  expect(await place("roomy")).toBe("two");
  // 512 MB each: after three of them, the other host has more.
  expect([await place("second"), await place("third")]).toEqual(["two", "one"]);
  for (const state of ["draining_since = now()", "seen_at = now() - interval '1 hour'", "lost_at = now()"]) {
    await join();
    const id = await fleet.want(`not-${state.slice(0, 4)}`);
    await database.pool.query(`update hosts set ${state} where name = 'two'`);
    expect(await placeNext(db, "two", new Date())).toBe(false);
    expect(await placeNext(db, "one", new Date())).toBe(true);
    expect((await fleet.row(id)).host).toBe("one");
  }
});

test("the only host gets each new workspace immediately; the first one to join a new service takes those that waited", async () => {
  const { database, ...fleet } = await openFleet();
  const { db } = database;
  const early = await fleet.want("early");
  await joinHost(db, { name: "one", address: null, freeMb: 1 });
  expect((await fleet.row(early)).host).toBe("one");
  const next = await fleet.want("next");
  expect((await fleet.row(next)).host).toBe("one");
  // A host that joins later takes none of them.
  await joinHost(db, { name: "two", address: null, freeMb: 1 });
  expect((await fleet.row(next)).host).toBe("one");
});

test("free memory is the measured memory minus that of upcoming starts", async () => {
  const { database, ...fleet } = await openFleet();
  const { db } = database;
  await joinHost(db, { name: "one", address: null, freeMb: 4_000 });
  await fleet.want("starting");
  expect(await beatHost(db, { name: "one", address: "10.0.0.1:3000", freeMb: 4_000 })).toEqual({
    hosts: 1,
    isDraining: false,
    hasUnplaced: false,
    silent: [],
  });
  expect(await listHosts(db)).toMatchObject([
    { name: "one", freeMb: 3_488, address: "10.0.0.1:3000", isHeard: true, workspaces: 1, online: 0 },
  ]);
});

test("a worker claims nothing of another host, whatever is due", async () => {
  const { database, ...fleet } = await openFleet();
  const { db } = database;
  await joinHost(db, { name: "one", address: null, freeMb: 1 });
  const id = await fleet.want("acme");
  const now = new Date();
  const worker = newId();
  expect(await claimDue(db, worker, now, room, [], "two")).toEqual([]);
  expect(await claimDueAmong(db, worker, now, [id], 1, [], "two")).toEqual([]);
  expect(await claimWorkspace(db, id, worker, "two")).toBe(false);
  expect(await claimDue(db, worker, now, room, [], "one")).toMatchObject([{ id }]);
});

test("a launch takes a blank of a living host, and runs there", async () => {
  const { database, ...fleet } = await openFleet();
  const { db } = database;
  for (const name of ["one", "two"]) await joinHost(db, { name, address: null, freeMb: name === "one" ? 9_000 : 1_000 });
  const ready = async (host: string) => {
    const worker = newId();
    const shape = { engine: "n8n", version: "2.0.0", memoryMb: 512, secrets: "-" } as const;
    const blank = (await addBlank(db, shape, { most: 1, worker, now: new Date(), host }))!;
    await offerBlank(db, worker, blank.id, "a hash");
    return blank.id;
  };
  const [ofOne, ofTwo] = [await ready("one"), await ready("two")];
  expect((await listBlanks(db, "two")).map(({ id }) => id)).toEqual([ofTwo]);
  await silence({ database } as TestFleet, "one");
  expect(await fleet.want("acme")).toBe(ofTwo);
  expect(await fleet.row(ofTwo)).toMatchObject({ host: "two", blank: "a hash" });
  // No host takes the dead host's blank until that host deletes it.
  expect(await declareLost(db, "one")).toBe(true);
  expect(await fleet.want("other")).not.toBe(ofOne);
  expect(await db.select().from(blanks)).toMatchObject([{ id: ofOne, state: "leaving", host: "one" }]);
});

test("a dead host's workspaces are restored elsewhere at the operator's command, and ended on the host when it comes back", async () => {
  const fleet = await openFleet();
  const { db } = fleet.database;
  const two = await startHost(fleet, "two", 9_000);
  const one = await startHost(fleet, "one", 1_000);
  const id = await runOn(fleet, "acme", two);
  const bare = await runOn(fleet, "bare", two);
  const unused = await fleet.want("unused");
  await fleet.until(unused, (row) => row.host === "two" && row.observedState === "online");
  await db.update(workspaces).set({ ownerSetUpAt: null }).where(eq(workspaces.id, unused));
  const backup = await backUp(fleet, id, two);
  two.world.get(id).storage.set("things/flows.json", "newer than the backup");

  // While it sends heartbeats, no operator's command takes anything from it.
  expect(await declareLost(db, "two")).toBe(false);
  expect(await restoreElsewhere(db, { id, host: "two" }, new Date())).toEqual({ outcome: "not there" });
  await two.die();
  await silence(fleet, "two");
  expect(await listHosted(db, "two")).toMatchObject([
    { accountName: "acme", isInUse: true, backupAt: backup.createdAt },
    { accountName: "bare", isInUse: true, backupAt: null },
    { accountName: "unused", isInUse: false },
  ]);
  expect(await declareLost(db, "two")).toBe(true);
  expect(await restoreElsewhere(db, { id, host: "two" }, new Date())).toEqual({ outcome: "restored", backupAt: backup.createdAt });
  // Killed and run again: completed moves are not repeated.
  expect(await restoreElsewhere(db, { id, host: "two" }, new Date())).toEqual({ outcome: "not there" });
  expect(await restoreElsewhere(db, { id: bare, host: "two" }, new Date())).toEqual({ outcome: "no backup" });
  expect(await restoreElsewhere(db, { id: unused, host: "two" }, new Date())).toMatchObject({ outcome: "restored" });
  expect(await forgetLostHost(db, "two")).toBe(false);

  await fleet.until(id, (row) => row.host === "one" && row.observedState === "online" && row.arriving === null);
  await fleet.until(unused, (row) => row.host === "one" && row.observedState === "online");
  expect(one.world.get(id).storage.get("things/flows.json")).toBe("kept");
  const told = await messages(fleet, id);
  expect(told.map(({ event }) => event)).toEqual(expect.arrayContaining(["host-lost", "arrived", "online"]));
  expect(told.find(({ event }) => event === "host-lost")?.message).toContain(backup.createdAt.toISOString().slice(11, 16));

  // It comes back with everything that ran on it.
  expect(two.world.get(id).run).toBeDefined();
  const back = await startHost(fleet, "two", 9_000, two.world);
  expect(two.world.get(id).run).toBeUndefined();
  expect(two.world.get(unused).run).toBeUndefined();
  expect(two.world.get(id).storage.get("things/flows.json"), "the operator may want it").toBe("newer than the backup");
  // The workspaces without a backup belong to it again, and were never stopped.
  await fleet.until(bare, (row) => row.host === "two" && row.observedState === "online");
  expect(two.world.get(bare).run).toBeDefined();
  expect(await restoreElsewhere(db, { id: bare, host: "two" }, new Date())).toEqual({ outcome: "not there" });
  back.loop.wake();
  expect(await fleet.row(id)).toMatchObject({ host: "one", observedState: "online" });
});

test("a worker whose host was declared dead in the middle of its work can neither write nor start", async () => {
  const fleet = await openFleet();
  const { db } = fleet.database;
  for (const name of ["one", "two"]) await joinHost(db, { name, address: null, freeMb: name === "two" ? 9 : 1 });
  const id = await fleet.want("acme");
  await placeNext(db, "two", new Date());
  const worker = newId();
  await claimDue(db, worker, new Date(), room, [], "two");
  const held = (await readHeld(db, id, worker))!;
  expect(await isStillToStart(db, id, held.generation, worker)).toBe(true);
  await silence(fleet, "two");
  await declareLost(db, "two");
  await restoreElsewhere(db, { id, host: "two" }, new Date());
  expect(await isStillToStart(db, id, held.generation, worker)).toBe(false);
  expect(await writeObservation(db, held, worker, { address: "127.0.0.1:1" })).toBe(false);
  expect(await claimDue(db, worker, new Date(), room, [], "two")).toEqual([]);
  // Its process is told at the next heartbeat, and works again only once it has joined again.
  expect(await beatHost(db, { name: "two", address: null, freeMb: 9 })).toBeNull();
  expect(await joinHost(db, { name: "two", address: null, freeMb: 9 })).toEqual({ wasLost: true, kept: 0 });
  expect(await beatHost(db, { name: "two", address: null, freeMb: 9 })).toMatchObject({ hosts: 2 });
});

test("a workspace whose files have not arrived never starts, and starts once they can be read", async () => {
  const fleet = await openFleet();
  const { db } = fleet.database;
  const two = await startHost(fleet, "two", 9_000);
  const id = await runOn(fleet, "acme", two);
  const backup = await backUp(fleet, id, two);
  const file = `${fleet.backupTools.storage.place}/${backup.storedAs}`;
  const sealed = await readFile(file);
  await two.die();
  await silence(fleet, "two");
  await declareLost(db, "two");
  await restoreElsewhere(db, { id, host: "two" }, new Date());
  // The storage has problems when it arrives.
  await fleet.backupTools.storage.remove(backup.storedAs!);
  const one = await startHost(fleet, "one", 1_000);
  const delayed = await fleet.until(id, (row) => row.host === "one" && row.failures > 0 && row.observedState === "offline");
  expect(delayed).toMatchObject({ arriving: backup.id, reasonCode: "arrival-delayed" });
  expect(one.world.workspaces.get(id)?.run).toBeUndefined();
  const { Readable } = await import("node:stream");
  await fleet.backupTools.storage.write(backup.storedAs!, Readable.from([sealed]));
  await db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, id));
  one.loop.wake();
  await fleet.until(id, (row) => row.observedState === "online" && row.arriving === null);
  expect(one.world.get(id).storage.get("things/flows.json")).toBe("kept");
});

test("a drained host's workspaces leave with their newest data, stopped ones too; what cannot be copied stays and runs", async () => {
  const fleet = await openFleet();
  const { db } = fleet.database;
  const two = await startHost(fleet, "two", 9_000);
  const one = await startHost(fleet, "one", 1_000);
  const id = await runOn(fleet, "acme", two);
  const paused = await runOn(fleet, "paused", two);
  await db
    .update(workspaces)
    .set({ desiredState: "stopped", generation: 2, reconcileAt: new Date(), updatedAt: new Date() })
    .where(eq(workspaces.id, paused));
  two.loop.wake();
  await fleet.until(paused, (row) => row.observedState === "stopped");
  const stuck = await runOn(fleet, "stuck", two);
  two.world.get(stuck).storage.set("things/count.json", "not JSON: its copy can't be opened");
  two.world.get(id).storage.set("things/flows.json", "the newest");

  expect(await setDraining(db, "two", true)).toBe(true);
  await fleet.until(id, (row) => row.host === "one" && row.observedState === "online" && row.arriving === null);
  expect(one.world.get(id).storage.get("things/flows.json")).toBe("the newest");
  await vi.waitFor(() => expect(two.world.workspaces.has(id)).toBe(false), { timeout: 20_000 });
  expect(await fleet.journal(id)).toEqual(expect.arrayContaining(["move-started", "arrived"]));
  const kept = await db
    .select({ kind: backups.kind, state: backups.state })
    .from(backups)
    .where(and(eq(backups.workspaceId, id), eq(backups.state, "successful")));
  expect(kept).toEqual([{ kind: "before-move", state: "successful" }]);

  await fleet.until(paused, (row) => row.host === "one" && row.arriving !== null);
  expect((await fleet.row(paused)).observedState).toBe("stopped");
  await vi.waitFor(async () => expect(await fleet.journal(stuck)).toContain("move-delayed"), { timeout: 20_000 });
  await fleet.until(stuck, (row) => row.host === "two" && row.observedState === "online");

  // When requested again, it gets its files first.
  await db
    .update(workspaces)
    .set({ desiredState: "running", generation: 3, reconcileAt: new Date(), updatedAt: new Date() })
    .where(eq(workspaces.id, paused));
  one.loop.wake();
  await fleet.until(paused, (row) => row.observedState === "online");
  expect(one.world.get(paused).storage.get("things/flows.json")).toBe("kept");
});

test("a dead host that returns before another one has taken a workspace gets it back, with its newest files", async () => {
  const fleet = await openFleet();
  const { db } = fleet.database;
  const two = await startHost(fleet, "two", 9_000);
  const id = await runOn(fleet, "acme", two);
  const unused = await fleet.want("unused");
  await fleet.until(unused, (row) => row.host === "two" && row.observedState === "online");
  await db.update(workspaces).set({ ownerSetUpAt: null }).where(eq(workspaces.id, unused));
  await backUp(fleet, id, two);
  two.world.get(id).storage.set("things/flows.json", "newer than the backup");
  const { instance } = two.world.get(id).run!;
  await two.die();
  await silence(fleet, "two");
  await declareLost(db, "two");
  for (const each of [id, unused]) await restoreElsewhere(db, { id: each, host: "two" }, new Date());
  expect(await forgetLostHost(db, "two")).toBe(true);
  expect(await fleet.row(id)).toMatchObject({ host: null, arriving: expect.any(String) });

  const back = await startHost(fleet, "two", 9_000, two.world);
  await fleet.until(id, (row) => row.host === "two" && row.observedState === "online" && row.arriving === null);
  expect(back.world.get(id).storage.get("things/flows.json")).toBe("newer than the backup");
  expect(back.world.get(id).run).toMatchObject({ instance });
  expect((await messages(fleet, id)).map(({ event }) => event)).toEqual(expect.arrayContaining(["host-lost", "host-returned", "online"]));
  await fleet.until(unused, (row) => row.host === "two" && row.observedState === "online" && row.ownerSetUpAt !== null);
});

test("a dead host that returns with another disk takes nothing back: its workspaces are restored as the operator requested", async () => {
  const fleet = await openFleet();
  const { db } = fleet.database;
  const two = await startHost(fleet, "two", 9_000);
  const id = await runOn(fleet, "acme", two);
  await backUp(fleet, id, two);
  await two.die();
  await silence(fleet, "two");
  await declareLost(db, "two");
  await restoreElsewhere(db, { id, host: "two" }, new Date());

  const back = await startHost(fleet, "two", 9_000);
  await fleet.until(id, (row) => row.host === "two" && row.observedState === "online" && row.arriving === null);
  expect(back.world.get(id).storage.get("things/flows.json")).toBe("kept");
  const events = (await messages(fleet, id)).map(({ event }) => event);
  expect(events).toContain("arrived");
  expect(events).not.toContain("host-returned");
});

test("if a host returns while another takes its workspace, one of them has it, with the right files", async () => {
  const fleet = await openFleet();
  const { db, pool } = { db: fleet.database.db, pool: fleet.database.pool };
  for (const name of ["one", "two"]) await joinHost(db, { name, address: null, freeMb: name === "one" ? 9 : 1 });
  for (const first of ["the other", "the returned"]) {
    const id = await fleet.want(first.replace(" ", "-"));
    const arriving = newId();
    await db.update(workspaces).set({ host: null, lostFrom: "two", arriving, ownerSetUpAt: new Date() }).where(eq(workspaces.id, id));
    if (first === "the other") {
      // Its statement has locked the row, and ends after the other host has requested it.
      const placing = await pool.connect();
      await placing.query("begin");
      await placing.query("update workspaces set host = 'one', lost_from = null where id = $1", [id]);
      const joining = joinHost(db, { name: "two", address: null, freeMb: 1 });
      await waitForLocks(pool, 1);
      await placing.query("commit");
      placing.release();
      await joining;
      expect(await fleet.row(id)).toMatchObject({ host: "one", arriving, lostFrom: null });
    } else {
      await joinHost(db, { name: "two", address: null, freeMb: 1 });
      expect(await placeNext(db, "one", new Date())).toBe(false);
      expect(await fleet.row(id)).toMatchObject({ host: "two", arriving: null, lostFrom: null });
    }
  }
});

test("a worker started on an empty data folder starts no workspace of its host empty, and operators see how many lack their files", async () => {
  const fleet = await openFleet();
  const two = await startHost(fleet, "two", 9_000);
  const id = await runOn(fleet, "acme", two);
  await two.die();
  await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() });
  const empty = await startHost(fleet, "two", 9_000);
  await fleet.until(id, (row) => row.reasonCode === "files-missing");
  expect(empty.world.workspaces.size).toBe(0);
  expect(await listHosts(fleet.database.db)).toMatchObject([{ name: "two", workspaces: 1, online: 0, withoutFiles: 1 }]);
});
