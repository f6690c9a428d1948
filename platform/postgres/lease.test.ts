import { expect, test } from "vitest";
import { randomUUID } from "node:crypto";
import { createTestDatabase } from "#testing/postgres.ts";
import { leaveLease, takeLease } from "./lease.ts";

test("of several processes one holds a lease, until it releases it or dies", async () => {
  await using database = await createTestDatabase();
  const { db, pool } = database;
  const processes = [randomUUID(), randomUUID(), randomUUID()];
  const take = () => Promise.all(processes.map((holder) => takeLease(db, "memory", holder, 90)));
  const first = await take();
  expect(first.filter(Boolean)).toHaveLength(1);
  // The holder renews it.
  expect(await take()).toEqual(first);
  await leaveLease(db, "memory", processes[first.indexOf(false)]!);
  expect(await take()).toEqual(first);
  await leaveLease(db, "memory", processes[first.indexOf(true)]!);
  expect((await take()).filter(Boolean)).toHaveLength(1);
  // A killed process renews nothing; and a lease from before the clock was set back ends later than any taken now.
  for (const end of ["1 second", "-1 day"]) {
    await pool.query("update leases set holder = $1, until = clock_timestamp() - $2::interval", [randomUUID(), end]);
    expect((await take()).filter(Boolean)).toHaveLength(1);
  }
});
