/**
 * A database restored from a dump of any moment, under hosts that lived on: numbers are given once, nothing of the time since is ended,
 * removed or given to another owner, no lease blocks, and what a person must decide is listed.
 */
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { eq, inArray } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { accounts, backups, blanks, users, workspaces } from "#database/tables.ts";
import { loadDump } from "#database/dump/load-dump.ts";
import { writeDump } from "#database/dump/write-dump.ts";
import { mendClockSetBack } from "#domain/service-clock/mend-clock-set-back.ts";
import { requestWorkspace } from "#domain/workspaces/desired/request-workspace.ts";
import { renewWorkspace } from "#domain/workspaces/desired/renew-workspace.ts";
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import { isKept } from "#domain/workspaces/hosts/kept.ts";
import { listFound, noteRestored, settleFound } from "#domain/workspaces/hosts/found-store.ts";
import { systemClock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { seededRandom } from "#platform/seeded-random.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { createBackups } from "../backups/create-backups.ts";
import { createMemoryDriver } from "../drivers/memory/create-memory-driver.ts";
import type { MemoryWorld } from "../drivers/memory/memory-world.ts";
import { createEngineInstalls } from "../engine-installs.ts";
import { startPool } from "../pool/pool-loop.ts";
import { startReconcileLoop } from "../reconcile/reconcile-loop.ts";
import { keepHost } from "./keep-host.ts";
import { sweepLeft } from "./sweep-left.ts";

const log = createLog("silent");
const shape = { engine: "n8n", version: "2.0.0", timezone: "Etc/UTC", memoryMb: 512, secrets: "-" } as const;
const line = { event: "paid", message: say("paid") } as const;
const marked = "things/flows.json";

/** A worker of the host "main" on this database: everything that may end or remove a workspace. */
async function startWorker(fleet: TestFleet, db: Database) {
  const driver = createMemoryDriver({ world: fleet.world, clock: systemClock, listen: true });
  const host = await keepHost({ db, driver, name: "main", address: null, availableMb: () => 9_000, onLost: () => undefined, log }, 50);
  const tools = { ...fleet.backupTools, db, driver };
  const loop = startReconcileLoop(
    db,
    fleet.reconciler({
      driver,
      host,
      installs: createEngineInstalls({ db, engine: fleet.engine, clock: systemClock, log }),
      backups: createBackups(tools),
      probeThroughGateway: async () => true,
    }),
  );
  const pool = startPool(
    {
      db,
      driver,
      log,
      engine: fleet.engine,
      clock: systemClock,
      most: 2,
      memoryMb: 512,
      restMs: 0,
      readyTimeoutMs: 20_000,
      publicUrl: "http://localhost:3000",
      availableMb: () => 100_000,
      secrets: { make: () => "-", open: () => ({}) },
    },
    20,
  );
  return {
    driver,
    wake: () => loop.wake(),
    sweep: () => sweepLeft({ db, driver, log }),
    stop: async () => void (await Promise.all([loop.stop(), pool.stop(), host.stop()])),
  };
}

/** As `fleet.want`, on any database. */
async function launch(db: Database, name: string): Promise<string> {
  const now = new Date();
  const accountId = newId();
  await db.insert(accounts).values({ id: accountId, name, setUpAt: now, createdAt: now });
  const email = `${name}@example.com`;
  await db.insert(users).values({ id: newId(), accountId, email, fullName: "Ada", passwordHash: "-", confirmedAt: now, createdAt: now });
  await db.transaction((tx) => requestWorkspace(tx, name, { ...shape, accountId }, now));
  return accountId;
}

const rowOf = async (db: Database, accountId: string) =>
  (await db.select().from(workspaces).where(eq(workspaces.accountId, accountId)))[0]!;

/** What an owner or the service does next with this account's workspace. */
async function act(db: Database, accountId: string): Promise<void> {
  const row = await rowOf(db, accountId);
  const now = new Date();
  await db.transaction<unknown>((tx) => {
    if (row.desiredState !== "deleted") return setDesiredState(tx, accountId, "deleted", line, now);
    return renewWorkspace(tx, accountId, { desiredVersion: "2.0.0", timezone: "Etc/UTC", memoryMb: 512 }, now);
  });
}

/** What the service says of a row whose workspace was deleted on the host since the dump: an alert fires, and a person decides. */
const lacksFiles = (world: MemoryWorld, { id, reasonCode }: { id: string; reasonCode: string | null }): boolean =>
  !world.workspaces.has(id) && (reasonCode === "files-missing" || reasonCode === "last-backup-failed");

/** Until every workspace that is not kept is what it should be. With a world, those without files there are left out. */
const calm = (db: Database, wake: () => void, world?: MemoryWorld) =>
  vi.waitFor(
    async () => {
      wake();
      const rows = await db.select({ row: workspaces, kept: isKept }).from(workspaces);
      const busy = rows.filter(
        ({ row, kept }) =>
          !kept &&
          !(world && lacksFiles(world, row)) &&
          (row.leaseOwner || row.observedState !== (row.desiredState === "deleted" ? "deleted" : "online")),
      );
      const failed = busy.length === 0 ? [] : await db.select({ detail: backups.detail }).from(backups).where(eq(backups.state, "failed"));
      expect([...busy.map(({ row }) => [row.desiredState, row.observedState, row.reasonCode]), ...failed]).toEqual([]);
    },
    { timeout: 60_000, interval: 200 },
  );

/** Puts something into each workspace that has an owner, and returns what must still be there later. */
async function mark(fleet: TestFleet, db: Database): Promise<Map<string, string>> {
  const marks = new Map<string, string>();
  for (const row of await db.select().from(workspaces)) {
    const here = fleet.world.workspaces.get(row.id);
    if (!here?.run || row.ownerSetUpAt === null) continue;
    here.storage.set(marked, `${row.accountId} in life ${row.life}`);
    marks.set(row.id, here.storage.get(marked)!);
  }
  return marks;
}

async function restoreDump(dump: Buffer): Promise<TestDatabase> {
  const database = await createTestDatabase({ empty: true });
  onTestFinished(() => database.close());
  await loadDump(database.pool, Readable.from([dump]));
  return database;
}

const seeds = (process.env["RESTORED_SEEDS"] ?? "1,2,3,4").split(",").map(Number);

test.each(seeds)(
  "a dump of a random moment under hosts that lived on loses nothing and gives no number twice (seed %i)",
  { timeout: 300_000 },
  async (seed) => {
    const random = seededRandom(seed);
    const below = (end: number) => Math.floor(random() * end);
    const fleet = await createTestFleet();
    onTestFinished(() => fleet.close());
    const { db, pool } = fleet.database;
    // Each that was ever used has something to lose, and to back up.
    const { setUpOwner } = fleet.engine;
    fleet.engine.setUpOwner = async (address, workspaceId, ...rest) => {
      fleet.world.get(workspaceId).storage.set("things/count.json", '{"workflows":1,"credentials":0,"executions":0}');
      return setUpOwner(address, workspaceId, ...rest);
    };
    let worker = await startWorker(fleet, db);
    onTestFinished(() => worker.stop());
    const owners: string[] = [];
    let names = 0;
    const live = async (acts: number) => {
      for (let done = 0; done < acts; done += 1) {
        if (owners.length < 2 || random() < 0.4) owners.push(await launch(db, `owner-${(names += 1)}`));
        else await act(db, owners[below(owners.length)]!).catch(() => undefined);
        worker.wake();
        // Mostly in the middle of what the act has begun.
        if (random() < 0.3) await calm(db, worker.wake);
        else await new Promise((resolve) => setTimeout(resolve, below(40)));
      }
    };
    await live(2 + below(5));
    const dump = await buffer(writeDump(pool, "0.0.0"));
    await live(3 + below(5));
    await calm(db, worker.wake);
    const marks = await mark(fleet, db);
    const before = new Map([...fleet.world.workspaces].map(([id, { run, number }]) => [id, { runs: run?.instance, number: number! }]));
    await worker.stop();

    const restored = await restoreDump(dump);
    await noteRestored(restored.db, new Date());
    // The API may be faster than the first worker.
    const early = await launch(restored.db, "early");
    worker = await startWorker(fleet, restored.db);
    const late = await launch(restored.db, "late");
    for (let round = 0; round < 3; round += 1) {
      await calm(restored.db, worker.wake, fleet.world);
      await worker.sweep();
      await mendClockSetBack(restored.db, new Date());
    }

    // Nothing of the later life is gone, and each workspace that ran still runs.
    for (const [id, content] of marks) expect(fleet.world.workspaces.get(id)?.storage.get(marked), content).toBe(content);
    for (const [id, { runs }] of before)
      if (runs !== undefined && marks.has(id)) expect(fleet.world.workspaces.get(id)?.run, id).toBeDefined();
    // Numbers are given once: on the host, and in the rows.
    const numbers = [...fleet.world.workspaces.values()].map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const accountId of [early, late]) {
      const row = await rowOf(restored.db, accountId);
      expect(row).toMatchObject({ observedState: "online" });
      expect(before.has(row.id), "no instance of before is given to somebody").toBe(false);
      expect([...before.values()].map(({ number }) => number)).not.toContain(row.number);
    }
    // What no row explains is listed, and what is listed is kept.
    const found = await listFound(restored.db);
    const rows = await restored.db.select().from(workspaces);
    const ready = await restored.db.select().from(blanks);
    const explained = new Set([...rows, ...ready].map(({ id }) => id));
    const unexplained = [...fleet.world.workspaces.keys()].filter((id) => !explained.has(id));
    expect(
      found
        .filter(({ reason }) => reason === "unknown")
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(unexplained.toSorted());
    const kept = await restored.db.select({ id: workspaces.id }).from(workspaces).where(isKept);
    expect(kept.map(({ id }) => id).toSorted()).toEqual(
      found
        .filter(({ reason }) => reason !== "unknown")
        .map(({ id }) => id)
        .toSorted(),
    );

    // A person decides for the host: everything runs with what it had.
    for (const each of found)
      await restored.db.transaction((tx) => settleFound(tx, each, each.account === null ? "listed" : "host", new Date()));
    expect(await listFound(restored.db)).toEqual([]);
    await calm(restored.db, worker.wake, fleet.world);
    for (const [id, content] of marks) expect(fleet.world.workspaces.get(id)?.storage.get(marked)).toBe(content);
    const known = await restored.db
      .select()
      .from(workspaces)
      .where(inArray(workspaces.id, [...marks.keys()]));
    for (const row of known) expect(row).toMatchObject({ observedState: "online", host: "main" });
  },
);
