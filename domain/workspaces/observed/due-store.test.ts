import { expect, test } from "vitest";
import { after, hourMs, secondMs } from "#platform/clock.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import { lookSoon, noteVisits } from "./due-store.ts";
import { release } from "./claim-workspaces.ts";

const now = new Date();

async function createQuiet() {
  const fleet = await createTestFleet();
  const id = await fleet.want("acme");
  const set = (columns: string, ...values: unknown[]) => fleet.database.pool.query(`update workspaces set ${columns}`, values);
  await set("observed_state = 'online', observed_generation = generation, reconcile_at = $1", after(now, hourMs));
  const dueInMs = async () => (await fleet.row(id)).reconcileAt!.getTime() - now.getTime();
  return { fleet, db: fleet.database.db, id, set, dueInMs };
}

test("a workspace with visitors is looked at within a minute; steady traffic writes nothing more", async () => {
  const quiet = await createQuiet();
  await using _fleet = quiet.fleet;
  await noteVisits(quiet.db, [quiet.id], now);
  expect(await quiet.dueInMs()).toBe(50 * secondMs);
  expect((await quiet.fleet.row(quiet.id)).activeAt).toEqual(now);
  await noteVisits(quiet.db, [quiet.id], after(now, 10 * secondMs));
  expect(await quiet.dueInMs()).toBe(50 * secondMs);
  expect((await quiet.fleet.row(quiet.id)).activeAt).toEqual(now);
});

test("a workspace that is visited while it is looked at is looked at again", async () => {
  const quiet = await createQuiet();
  await using _fleet = quiet.fleet;
  const worker = "00000000-0000-7000-8000-000000000001";
  await quiet.set("reconcile_at = $1, lease_owner = $2, lease_until = clock_timestamp() + interval '10 seconds'", now, worker);
  const held = await quiet.fleet.row(quiet.id);
  await noteVisits(quiet.db, [quiet.id], now);
  await release(quiet.db, held, worker, after(now, hourMs), after(now, secondMs));
  expect(await quiet.dueInMs()).toBe(secondMs);
});

test("a visit changes nothing for a workspace that starts, fails or should not run", async () => {
  const quiet = await createQuiet();
  await using _fleet = quiet.fleet;
  for (const state of ["observed_state = 'offline'", "observed_state = 'online', desired_state = 'stopped'"]) {
    await quiet.set(state);
    await noteVisits(quiet.db, [quiet.id], now);
    expect(await quiet.dueInMs()).toBe(hourMs);
  }
});

test("a look requested by a person comes now, however far ahead the next was, but not within 5 s of the last", async () => {
  const quiet = await createQuiet();
  await using _fleet = quiet.fleet;
  const { accountId } = await quiet.fleet.row(quiet.id);
  await quiet.set("usage_read_at = $1", after(now, -3 * secondMs));
  await lookSoon(quiet.db, accountId, now);
  expect(await quiet.dueInMs()).toBe(hourMs);
  await quiet.set("usage_read_at = $1", after(now, -6 * secondMs));
  await lookSoon(quiet.db, accountId, now);
  expect(await quiet.dueInMs()).toBe(0);
});
