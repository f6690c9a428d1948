import { expect, test } from "vitest";
import { plans } from "#database/tables.ts";
import { migrate } from "#database/migrate.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { seedPlans } from "./seed-plans.ts";

const log = createLog("silent");

test("of several processes that start on an empty database, one seeds the plans", async () => {
  await using database = await createTestDatabase({ empty: true });
  await migrate(database, log);
  // A trigger that counts the writes: an upsert of the same rows would leave no other trace.
  await database.pool.query("create table writes (at timestamptz default clock_timestamp())");
  await database.pool.query(
    "create function note() returns trigger language plpgsql as $$ begin insert into writes default values; return null; end $$",
  );
  await database.pool.query("create trigger noted after insert on plan_specs for each statement execute function note()");
  await Promise.all([1, 2, 3, 4, 5].map(() => seedPlans(database.db, { plansFile: undefined }, log)));
  expect(await database.db.$count(plans)).toBeGreaterThan(0);
  expect((await database.pool.query("select count(*)::int as times from writes")).rows).toEqual([{ times: 1 }]);
});
