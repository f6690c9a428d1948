import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { workspaces } from "#database/tables.ts";
import { minuteMs, after } from "#platform/clock.ts";
import { driverOf, looked } from "#testing/fleet/sleepers.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";

async function waiting(fleet: TestFleet, changes: Parameters<TestFleet["startLoop"]>[0] = {}) {
  const loop = fleet.startLoop(changes);
  const id = await fleet.want("acme");
  // A schedule, say.
  fleet.engine.rests.set(id, { sleepable: false, due: null });
  await fleet.until(id, (row) => row.observedState === "online" && row.leaseOwner === null);
  /** Lets a pass run, and returns once it is over. One that was in progress before only leaves the workspace due. */
  const pass = async (): Promise<void> => {
    await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() });
    loop.wake();
    await fleet.until(id, looked);
  };
  return { id, pass };
}

test("an idle workspace that never sleeps is paged out, stays online, and its journal does not mention it", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const { id } = await waiting(fleet);
  await fleet.leaveAlone(id);
  await expect.poll(() => fleet.world.get(id).run?.pagedOut).toBe(true);
  expect((await fleet.row(id)).asleepSince).toBeNull();
  expect(await fleet.call("acme")).toMatchObject({ status: 200 });
  expect(await fleet.journal(id)).toEqual(["requested", "started", "online"]);
});

test("one whose engine has no sleep is paged out too, unless the operator has turned off both", async () => {
  await using fleet = await createTestFleet();
  const { id, pass } = await waiting(fleet);
  await fleet.leaveAlone(id);
  await pass();
  expect(fleet.world.get(id).run!.pagedOut).toBeUndefined();
  await using other = await createTestFleet();
  const { sleep: _none, ...engine } = other.engine;
  const { id: resting } = await waiting(other, { engine, pagesOut: true });
  await other.leaveAlone(resting);
  await expect.poll(() => other.world.get(resting).run?.pagedOut).toBe(true);
  expect((await other.row(resting)).asleepSince).toBeNull();
});

test("a workspace that was used or counted an execution in the last ten minutes is left in memory", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const { id, pass } = await waiting(fleet);
  const long = after(new Date(), -120 * minuteMs);
  for (const recent of ["usedAt", "activeAt"] as const) {
    await fleet.database.db
      .update(workspaces)
      .set({ startedAt: long, updatedAt: long, usedAt: long, activeAt: long, [recent]: after(new Date(), -9 * minuteMs) });
    await pass();
    expect(fleet.world.get(id).run!.pagedOut).toBeUndefined();
    // It is checked when the ten minutes are over, not later.
    expect((await fleet.row(id)).reconcileAt!.getTime()).toBeLessThan(Date.now() + 1.1 * minuteMs);
  }
});

test("memory is not paged out again before the workspace has taken most of it back", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  let times = 0;
  const driver = driverOf(fleet);
  const pageOut = (id: string) => {
    times += 1;
    return driver.pageOut!(id);
  };
  const { id, pass } = await waiting(fleet, { driver: { ...driver, pageOut } });
  await fleet.leaveAlone(id);
  await expect.poll(() => times).toBe(1);
  for (const _twice of [1, 2]) await pass();
  expect(times).toBe(1);
  delete fleet.world.get(id).run!.pagedOut;
  await pass();
  expect(times).toBe(2);
});

test("a page-out that fails leaves the workspace online, without a failure", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  let times = 0;
  const pageOut = async () => {
    times += 1;
    await sleep(1);
    throw new Error("no swap");
  };
  const { id } = await waiting(fleet, { driver: { ...driverOf(fleet), pageOut } });
  await fleet.leaveAlone(id);
  await expect.poll(() => times).toBeGreaterThan(0);
  expect(await fleet.until(id, (row) => row.leaseOwner === null)).toMatchObject({ observedState: "online", failures: 0 });
});
