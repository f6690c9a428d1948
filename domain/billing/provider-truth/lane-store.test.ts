import { expect, test } from "vitest";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { openTestBilling, receiveEventOf, subscribe } from "#testing/payments/test-billing.ts";
import { handleEventsOf, sortEvents } from "./handle-events.ts";
import { keepLane, leaveLane, takeLane } from "./lane-store.ts";

test("a process that handles many events of an account keeps its lane throughout, and releases no other's", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const { db } = world.database;
  for (let count = 0; count < 5; count += 1) await receiveEventOf(world, accountId, { id: `slow-${count}` });
  await sortEvents(world.billing);
  // Events that failed before are handled one by one.
  await world.database.pool.query("update provider_events set attempts = 1 where run_at is not null");
  const others: boolean[] = [];
  const laneEnd = async () => (await world.database.pool.query("select taken_until::text as end from billing_lanes")).rows[0].end as string;
  const ends: string[] = [];
  const { readSubscription } = world.provider;
  world.provider.readSubscription = async (id) => {
    // However far another process's clock is ahead.
    world.clock.advance(25 * secondMs);
    others.push(Boolean(await takeLane(db, accountId, 2 * minuteMs)));
    ends.push(await laneEnd());
    return readSubscription(id);
  };
  expect(await handleEventsOf(world.billing, accountId)).toBe(5);
  expect(others).toEqual([false, false, false, false, false]);
  // It was extended after each event.
  expect(new Set(ends).size).toBe(5);

  // One that took longer than its lane, which another process now has: it stops, and the other process keeps the lane.
  await receiveEventOf(world, accountId, { id: "slower" });
  await sortEvents(world.billing);
  world.provider.readSubscription = async (id) => {
    await world.database.pool.query("update billing_lanes set taken_until = clock_timestamp() - interval '1 second'");
    others.push(Boolean(await takeLane(db, accountId, 2 * minuteMs)));
    return readSubscription(id);
  };
  await handleEventsOf(world.billing, accountId);
  expect(others.at(-1)).toBe(true);
  expect(await takeLane(db, accountId, 2 * minuteMs)).toBeFalsy();
});

test("a lane that the release before took over, which leaves our token in it, is neither kept nor released", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const { db, pool } = world.database;
  const lane = (await takeLane(db, accountId, 2 * minuteMs))!;
  const kept = (await keepLane(db, accountId, lane, 2 * minuteMs))!;
  await pool.query("update billing_lanes set taken_until = clock_timestamp() + interval '1 minute'");
  expect(await keepLane(db, accountId, kept, 2 * minuteMs)).toBeNull();
  await leaveLane(db, accountId, kept);
  expect((await pool.query("select from billing_lanes")).rowCount).toBe(1);
});
