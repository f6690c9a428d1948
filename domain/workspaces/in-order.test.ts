import { expect, test } from "vitest";
import { mendClockSetBack } from "#domain/service-clock/mend-clock-set-back.ts";
import type { Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { within } from "#platform/loops/within.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import { waitForLocks } from "#testing/database/held-lock.ts";
import { renewLeases } from "./observed/claim-workspaces.ts";
import { retryFailing } from "./observed/due-store.ts";
import { forgetProcesses } from "./observed/observation-store.ts";
import { recordUse, wakeAll } from "./observed/sleep-store.ts";

const worker = newId();
const now = new Date();

interface Statement {
  what: string;
  /** What the workspaces are like before it. */
  before: string;
  run(db: Database, ids: readonly string[]): Promise<unknown>;
  /** Their state afterwards. */
  after: string;
}

const statements: Statement[] = [
  {
    what: "leases are renewed",
    before: `lease_owner = '${worker}'`,
    run: async (db, ids) => expect((await renewLeases(db, worker, ids)).toSorted()).toEqual(ids),
    after: "lease_until > now()",
  },
  {
    what: "all sleeping workspaces are woken",
    before: "asleep_since = now(), reconcile_at = null",
    run: (db) => wakeAll(db, now),
    after: "wake_asked_at is not null and reconcile_at is not null",
  },
  { what: "ended processes are forgotten", before: "address = 'http://127.0.0.1:1'", run: forgetProcesses, after: "address is null" },
  {
    what: "failing workspaces are tried again",
    before: "failures = 1, reconcile_at = now() + interval '1 hour'",
    run: (db) => retryFailing(db, now),
    after: "reconcile_at <= now()",
  },
  {
    what: "workspaces that are due much too late are made due",
    before: "reconcile_at = now() + interval '30 days'",
    run: (db) => mendClockSetBack(db, now),
    after: "reconcile_at <= now()",
  },
];

test.each(statements)("$what while uses of the same workspaces are recorded, without a deadlock", async ({ before, run, after }) => {
  await using fleet = await createTestFleet();
  const { db, pool } = fleet.database;
  const ids = [await fleet.want("one"), await fleet.want("two")].toSorted();
  // The first one's newest version is behind the other's on the disk, where a statement without an order comes to it last.
  for (const id of ids.toReversed()) await pool.query(`update workspaces set ${before} where id = $1`, [id]);
  // So few rows are then read from the disk in its order instead of by an index.
  await pool.query("analyze workspaces");
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("select from workspaces where id = $1 for update", [ids[0]]);
  const recorded = recordUse(db, ids, now);
  await waitForLocks(pool, 1);
  const ran = run(db, ids);
  await waitForLocks(pool, 2);
  await holder.query("commit");
  holder.release();
  const [asleep] = await Promise.all([recorded, ran]);
  expect(asleep.toSorted()).toEqual(before.startsWith("asleep") ? ids : []);
  expect((await pool.query(`select from workspaces where ${after}`)).rowCount).toBe(2);
});

test("leases are renewed without waiting for samples of memory that are being saved", async () => {
  await using fleet = await createTestFleet();
  const { db, pool } = fleet.database;
  const id = await fleet.want("one");
  await pool.query("update workspaces set lease_owner = $1", [worker]);
  const saving = await pool.connect();
  await saving.query("begin");
  await saving.query("insert into workspace_memory (workspace_id, at, memory_mb) values ($1, now(), 100)", [id]);
  try {
    expect(await within(60_000, "the renewal", renewLeases(db, worker, [id]))).toEqual([id]);
  } finally {
    await saving.query("commit");
    saving.release();
  }
});
