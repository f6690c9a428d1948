import { expect, test } from "vitest";
import { workspaces } from "#database/tables.ts";
import { newId } from "#platform/ids.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import { renewLeases } from "./claim-workspaces.ts";
import { recordUse } from "./sleep-store.ts";

test("leases are renewed while uses of the same workspaces are recorded, without a deadlock", async () => {
  await using fleet = await createTestFleet();
  const { db, pool } = fleet.database;
  const ids = [await fleet.want("one"), await fleet.want("two")].toSorted();
  const worker = newId();
  await db.update(workspaces).set({ leaseOwner: worker });
  // Its newest version is behind the other row on the disk, where a statement without an order comes to it last.
  await pool.query("update workspaces set reconcile_at = now() where id = $1", [ids[0]]);
  const waitFor = (statements: number) =>
    expect
      .poll(
        async () =>
          (await pool.query("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).rowCount,
        { timeout: 15_000 },
      )
      .toBe(statements);
  const first = await pool.connect();
  await first.query("begin");
  await first.query("select from workspaces where id = $1 for update", [ids[0]]);
  const recorded = recordUse(db, ids, new Date());
  await waitFor(1);
  const renewed = renewLeases(db, worker, ids);
  await waitFor(2);
  await first.query("commit");
  first.release();
  const [asleep, held] = await Promise.all([recorded, renewed]);
  expect(asleep).toEqual([]);
  expect(held.toSorted()).toEqual(ids);
});
