/** A change that restarts a workspace waits for the executions that run, within its limit. */
import { expect, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { requestRestart } from "#domain/workspaces/workspace-store.ts";
import { workspaceStatus } from "#domain/workspaces/workspace-status.ts";
import { workspaceView } from "#domain/workspaces/workspace-view.ts";
import { minuteMs } from "#platform/clock.ts";
import { launched, settled } from "#testing/fleet/sleepers.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";

const instanceOf = (fleet: TestFleet, id: string): number => fleet.world.get(id).run!.instance;

async function restart(fleet: TestFleet, id: string): Promise<void> {
  await requestRestart(fleet.database.db, (await fleet.row(id)).accountId, new Date());
}

const restarted = (fleet: TestFleet, id: string, before: number) =>
  fleet.until(id, (row) => settled(row) && fleet.world.get(id).run?.instance !== before);

test("a restart waits for running executions; the workspace stays reachable, and its owner sees what it waits for", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop({ finishMs: 5 * minuteMs });
  const id = await launched(fleet);
  const before = instanceOf(fleet, id);
  fleet.engine.running.set(id, 2);
  await restart(fleet, id);
  const waiting = await fleet.until(id, (row) => row.finishingSince !== null);
  expect(workspaceView(waiting, "http://acme.localhost").progress?.label).toBe("Running executions finish first: 2, within 300 s");
  expect(workspaceStatus(waiting)).toBe(instanceStatus.pending);
  fleet.engine.running.set(id, 1);
  const label = "Running executions finish first: 1, within 300 s";
  expect((await fleet.until(id, (row) => row.progressLabel === label)).finishingSince).toEqual(waiting.finishingSince);
  // Also if the worker is replaced meanwhile.
  await loop.stop();
  fleet.startLoop({ finishMs: 5 * minuteMs });
  expect((await fleet.call("acme")).status).toBe(200);
  expect(instanceOf(fleet, id)).toBe(before);
  fleet.engine.running.delete(id);
  expect(await restarted(fleet, id, before)).toMatchObject({ finishingSince: null, progressStep: null });
});

test("an execution that never ends delays a restart no longer than the limit", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop({ finishMs: 2_500 });
  const id = await launched(fleet);
  const before = instanceOf(fleet, id);
  fleet.engine.running.set(id, 1);
  await restart(fleet, id);
  await fleet.until(id, (row) => row.finishingSince !== null);
  await restarted(fleet, id, before);
});

test.each([
  ["that cannot say what runs", (fleet: TestFleet) => void (fleet.engine.countRunning = () => Promise.reject(new Error("stuck")))],
  ["of a service that does not wait", () => undefined],
])("a workspace %s is restarted immediately", async (what, prepare) => {
  await using fleet = await createTestFleet();
  prepare(fleet);
  fleet.startLoop({ finishMs: what.includes("service") ? 0 : 5 * minuteMs });
  const id = await launched(fleet);
  const before = instanceOf(fleet, id);
  fleet.engine.running.set(id, 1);
  await restart(fleet, id);
  expect((await restarted(fleet, id, before)).finishingSince).toBeNull();
});
