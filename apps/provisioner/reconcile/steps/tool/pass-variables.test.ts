/** Changed variables reach a running workspace without a restart, and one that does not run with its next start. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { workspaces } from "#database/tables.ts";
import { dueNow } from "#domain/workspaces/observed/due-store.ts";
import { withVariables } from "#domain/workspaces/settings/workspace-variables.ts";
import { launched, settled, sleeping } from "#testing/fleet/sleepers.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";

/** As domain/journeys/workspace-variables/change-variables.ts leaves it. */
async function change(fleet: TestFleet, id: string, revision: number, ...names: string[]): Promise<void> {
  const variables = names.map((name) => ({ name, value: "1", isSecret: true }));
  const secrets = JSON.stringify(withVariables({}, { revision, variables }));
  await fleet.database.db
    .update(workspaces)
    .set({ secrets, variablesRevision: revision, ...dueNow(new Date()) })
    .where(eq(workspaces.id, id));
}

const runOf = (fleet: TestFleet, id: string) => fleet.world.get(id).run!;
const filesOf = (fleet: TestFleet, id: string) =>
  runOf(fleet, id).spec.files.map(({ content }) => JSON.parse(Buffer.from(content, "base64").toString("utf8")) as object);

test("changed variables reach a running workspace once, without a restart", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop();
  const id = await launched(fleet);
  const { instance } = runOf(fleet, id);
  await change(fleet, id, 1, "A", "B");
  loop.wake();
  await fleet.until(id, (row) => row.variablesPassed === 1 && settled(row));
  await change(fleet, id, 2, "B");
  loop.wake();
  await fleet.until(id, (row) => row.variablesPassed === 2 && settled(row));
  expect(fleet.engine.variables.get(id)).toEqual([["A", "B"], ["B"]]);
  expect(runOf(fleet, id).instance).toBe(instance);
  expect(await fleet.journal(id)).toEqual(["requested", "started", "online"]);
});

test("a workspace that refuses them stays online, and gets them from the next worker", async () => {
  await using fleet = await createTestFleet();
  const first = fleet.startLoop();
  const id = await launched(fleet);
  fleet.engine.variablesFail = new Error("n8n answers 500");
  await change(fleet, id, 1, "A");
  first.wake();
  const row = await fleet.until(id, ({ reconcileAt, updatedAt, leaseOwner }) => leaseOwner === null && reconcileAt! > updatedAt);
  expect(row).toMatchObject({ variablesPassed: 0, observedState: "online", gatewayOpen: true });
  // Within a minute, however quiet it is.
  expect(row.reconcileAt!.getTime() - Date.now()).toBeLessThanOrEqual(60_000);
  await first.stop();
  fleet.engine.variablesFail = null;
  await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, id));
  fleet.startLoop();
  await fleet.until(id, ({ variablesPassed }) => variablesPassed === 1);
  expect(fleet.engine.variables.get(id)).toEqual([["A"]]);
});

test("a sleeping workspace is woken for them", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  const loop = fleet.startLoop();
  const id = await sleeping(fleet);
  await change(fleet, id, 1, "A");
  loop.wake();
  // Unused, it sleeps again afterwards.
  await fleet.until(id, (row) => row.variablesPassed === 1);
  expect(fleet.engine.variables.get(id)).toEqual([["A"]]);
});

test("a workspace that dies before they reach it starts with them, and is not told again", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop();
  const id = await launched(fleet);
  fleet.engine.variablesFail = new Error("it is about to die");
  await change(fleet, id, 1, "A", "B");
  fleet.world.crash(id);
  loop.wake();
  await fleet.until(id, (row) => row.variablesPassed === 1 && settled(row));
  expect(filesOf(fleet, id)).toEqual([{ A: "1", B: "1" }]);
  expect(fleet.engine.variables.get(id)).toBeUndefined();
});

test("a process from an earlier release, which cannot take them, is restarted once", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop();
  const id = await launched(fleet);
  const { instance } = runOf(fleet, id);
  const { generation } = await fleet.row(id);
  fleet.engine.variablesFail = "too old";
  await change(fleet, id, 1, "A");
  loop.wake();
  const row = await fleet.until(id, (now) => settled(now) && now.generation > generation && now.observedGeneration === now.generation);
  expect(row).toMatchObject({ generation: generation + 1, variablesPassed: 1 });
  expect(runOf(fleet, id).instance).not.toBe(instance);
  expect(filesOf(fleet, id)).toEqual([{ A: "1" }]);
});

test("a process that another worker started with earlier variables is given the current ones", async () => {
  await using fleet = await createTestFleet();
  const id = await fleet.want("acme");
  await change(fleet, id, 1, "A");
  const { driver } = fleet.reconciler();
  fleet.startLoop({ driver: { ...driver, ensure: (spec) => driver.ensure({ ...spec, files: [] }) } });
  await fleet.until(id, (row) => row.variablesPassed === 1 && row.observedState === "online");
  expect(fleet.engine.variables.get(id)).toEqual([["A"]]);
});
