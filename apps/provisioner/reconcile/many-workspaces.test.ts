import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { secondMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";

const online = (row: { observedState: string }) => row.observedState === "online";

test("work of a killed worker is finished by the other as soon as its leases end, and nothing is started twice", async () => {
  await using fleet = await createTestFleet();
  const { db, pool } = fleet.database;
  const ids: string[] = [];
  for (let number = 1; number <= 8; number += 1) ids.push(await fleet.want(`many-${number}`));
  // As it died: half of them leased to it.
  const leased = ids.slice(0, 4);
  await pool.query(
    "update workspaces set lease_owner = $1, lease_until = clock_timestamp() + interval '2 seconds' where id = any($2::uuid[])",
    [newId(), leased],
  );
  const begin = performance.now();
  fleet.startLoop();
  for (const id of ids.slice(4)) await fleet.until(id, online);
  // As long as this machine takes for as many without a lease.
  const usualMs = performance.now() - begin;
  for (const id of leased) await fleet.until(id, online);
  expect(performance.now() - begin).toBeLessThan(8 * secondMs + 4 * usualMs);
  const started = await db.execute<{ n: number }>(sql`select count(*)::int n from workspace_journal where event = 'started'`);
  expect(started.rows[0]!.n).toBe(ids.length);
});

test("a change behind a storm of notifications is carried out in seconds", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  fleet.startLoop();
  const launch = async (name: string): Promise<number> => {
    const begin = performance.now();
    await fleet.until(await fleet.want(name), online);
    return performance.now() - begin;
  };
  const usualMs = await launch("before");
  await fleet.database.pool.query("select pg_notify('workspace_changed', n || ' nobody-' || n) from generate_series(1, 10000) n");
  expect(await launch("acme")).toBeLessThan(8 * secondMs + 4 * usualMs);
});
