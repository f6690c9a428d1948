import { expect, test } from "vitest";
import { after, hourMs, secondMs } from "#platform/clock.ts";
import { within } from "#platform/loops/within.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import { lookSoon, noteVisits } from "./due-store.ts";
import { saveSamples } from "./load-store.ts";
import { recordUse } from "./sleep-store.ts";
import { claimDue, release } from "./claim-workspaces.ts";

const now = new Date();

async function createQuiet() {
  const fleet = await createTestFleet();
  const id = await fleet.want("acme");
  const set = (columns: string, ...values: unknown[]) => fleet.database.pool.query(`update workspaces set ${columns}`, values);
  await set("observed_state = 'online', observed_generation = generation, reconcile_at = $1", after(now, hourMs));
  const dueInMs = async () => (await fleet.row(id)).reconcileAt!.getTime() - now.getTime();
  return { fleet, db: fleet.database.db, id, set, dueInMs };
}

test("a workspace with visitors is checked within a minute; steady traffic writes nothing more", async () => {
  const quiet = await createQuiet();
  await using _fleet = quiet.fleet;
  await noteVisits(quiet.db, [quiet.id], now);
  expect(await quiet.dueInMs()).toBe(50 * secondMs);
  expect((await quiet.fleet.row(quiet.id)).activeAt).toEqual(now);
  await noteVisits(quiet.db, [quiet.id], after(now, 10 * secondMs));
  expect(await quiet.dueInMs()).toBe(50 * secondMs);
  expect((await quiet.fleet.row(quiet.id)).activeAt).toEqual(now);
});

test("a workspace that is visited during a check is checked again", async () => {
  const quiet = await createQuiet();
  await using _fleet = quiet.fleet;
  const worker = "00000000-0000-7000-8000-000000000001";
  await quiet.set("reconcile_at = $1, lease_owner = $2, lease_until = clock_timestamp() + interval '10 seconds'", now, worker);
  const held = await quiet.fleet.row(quiet.id);
  await noteVisits(quiet.db, [quiet.id], now);
  await release(quiet.db, held, worker, after(now, hourMs), after(now, secondMs));
  expect(await quiet.dueInMs()).toBe(secondMs);
});

test("a workspace that is visited while a worker that was killed holds it is taken over when the lease ends", async () => {
  const quiet = await createQuiet();
  await using _fleet = quiet.fleet;
  const [dead, next] = ["00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"];
  await quiet.set("reconcile_at = $1, lease_owner = $2, lease_until = clock_timestamp() + interval '10 seconds'", now, dead);
  await noteVisits(quiet.db, [quiet.id], now);
  await quiet.set("lease_until = clock_timestamp() - interval '1 second'");
  const room = { wake: 0, start: 0, stop: 0, retry: 0, look: 1 };
  expect(await claimDue(quiet.db, next, after(now, secondMs), room)).toEqual([{ id: quiet.id, kind: "look" }]);
});

test("visits and uses are saved while samples of memory are", async () => {
  const quiet = await createQuiet();
  await using _fleet = quiet.fleet;
  await quiet.db.transaction(async (sampling) => {
    await saveSamples(sampling, new Map([[quiet.id, { memoryMb: 300, cpuPercent: 1, diskMb: 40 }]]), now);
    const saving = Promise.all([noteVisits(quiet.db, [quiet.id], now), recordUse(quiet.db, [quiet.id], now)]);
    await within(60 * secondMs, "saving a visit", saving);
  });
  expect(await quiet.dueInMs()).toBe(50 * secondMs);
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
