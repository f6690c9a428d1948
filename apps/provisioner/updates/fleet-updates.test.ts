/** Fleet updates with workers that update real rows of simulated workspaces. domain/updates/fleet tests each rule. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { workspaces, workspaceUpdates } from "#database/tables.ts";
import { directFleetUpdate } from "#domain/updates/fleet/direct-fleet-update.ts";
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import { createLog } from "#platform/log.ts";
import { systemClock } from "#platform/clock.ts";
import { advanceUntil, beginFleetUpdate, launchFleet, lookOnce, plannedStates } from "#testing/fleet/fleet-update-scene.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import { breakVersion, settled, subjects } from "#testing/fleet/update-scene.ts";
import { startFleetUpdates } from "./fleet-updates.ts";

test("the loop updates a fleet without any command, and a new one continues where a stopped one was", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  const ids = await launchFleet(fleet, ["one", "two"]);
  const { id } = await beginFleetUpdate(fleet);
  const options = { db: fleet.database.db, engine: "n8n", clock: systemClock, log: createLog("silent") } as const;
  const first = startFleetUpdates(options);
  await fleet.until(ids.get("one")!, (row) => row.desiredVersion === "2.1.0" || row.observedVersion === "2.1.0");
  await first.stop();
  await fleet.until(ids.get("one")!, settled("2.1.0"));
  const second = startFleetUpdates(options);
  await fleet.until(ids.get("two")!, settled("2.1.0"));
  await second.stop();
  await advanceUntil(fleet, id, ({ state }) => state === "done");
});

test("a version that does not start is rolled back where it was tried, and no other workspace is touched", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  const ids = await launchFleet(fleet, ["one", "two", "three"]);
  const mend = breakVersion(fleet, "2.1.0");
  const { id } = await beginFleetUpdate(fleet, { canaries: ["two"] });
  const stopped = await advanceUntil(fleet, id, ({ state }) => state === "stopped").finally(mend);
  expect(stopped.stopReason).toMatch(/^two could not be updated: .*2\.1\.0/);
  await fleet.until(ids.get("two")!, settled("2.0.0"));
  expect(fleet.world.get(ids.get("two")!).storage.get("things/flows.json")).toBe("of two");
  expect(await fleet.database.db.select().from(workspaceUpdates)).toHaveLength(1);
});

test.each(["deletes the workspace", "chooses another version", "stops paying"])(
  "a customer who %s during the update does not stop the fleet",
  async (how) => {
    await using fleet = await createTestFleet();
    const loop = fleet.startLoop();
    const ids = await launchFleet(fleet, ["one", "two"]);
    const { db } = fleet.database;
    const { id } = await beginFleetUpdate(fleet, { canaries: ["one"] });
    await loop.stop();
    await lookOnce(fleet);
    const row = await fleet.row(ids.get("one")!);
    expect(row.desiredVersion).toBe("2.1.0");
    const line = { event: "requested", message: say("paid") } as const;
    if (how === "chooses another version")
      await db
        .update(workspaces)
        .set({ desiredVersion: "2.0.0", generation: row.generation + 1 })
        .where(eq(workspaces.id, row.id));
    else await db.transaction((tx) => setDesiredState(tx, row.accountId, how === "stops paying" ? "stopped" : "deleted", line, new Date()));
    fleet.startLoop();
    await advanceUntil(fleet, id, ({ state }) => state === "done");
    const reason = how === "stops paying" ? "stopped" : "changed";
    expect(await plannedStates(fleet, id)).toEqual([`one: left-out ${reason}`, "two: updated"]);
  },
);

test("sleepers wake for their update", async () => {
  await using fleet = await createTestFleet({ sleeps: true });
  fleet.startLoop();
  const ids = await launchFleet(fleet, ["one"]);
  await fleet.leaveAlone(ids.get("one")!);
  await fleet.until(ids.get("one")!, (row) => row.asleepSince !== null && row.leaseOwner === null);
  const { id } = await beginFleetUpdate(fleet);
  await advanceUntil(fleet, id, ({ state }) => state === "done");
  expect(await fleet.row(ids.get("one")!)).toMatchObject({ observedVersion: "2.1.0" });
});

test("a rollback of the whole restores each workspace's data from before, keeps what was made since, and tells the owner why", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  const ids = await launchFleet(fleet, ["one", "two", "three"]);
  const { db } = fleet.database;
  const { id } = await beginFleetUpdate(fleet, { waves: [{ workspaces: 2 }, { workspaces: 1 }] }, { soakSeconds: 3600 });
  const updated = async () =>
    (await plannedStates(fleet, id)).filter((line) => line.endsWith("updated")).map((line) => line.split(":")[0]!);
  while ((await updated()).length < 2) await lookOnce(fleet);
  const names = await updated();
  for (const name of names) {
    await fleet.until(ids.get(name)!, (row) => settled("2.1.0")(row) && row.leaseOwner === null);
    fleet.world.get(ids.get(name)!).storage.set("things/flows.json", `made by ${name} since`);
  }
  await directFleetUpdate(db, { id, direction: "roll-back", operator: "grace", reason: "wrong results" }, new Date());
  await advanceUntil(fleet, id, ({ state }) => state === "rolled-back");
  expect((await plannedStates(fleet, id)).filter((line) => line.endsWith("rolled-back"))).toEqual(
    names.map((name) => `${name}: rolled-back`),
  );
  for (const name of names) {
    expect(fleet.world.get(ids.get(name)!).storage.get("things/flows.json")).toBe(`of ${name}`);
    expect((await fleet.journal(ids.get(name)!)).at(-1)).toBe("rolled-back");
  }
  expect((await subjects(fleet)).filter((subject) => subject === "Your workspace is back on Test engine 2.0.0")).toHaveLength(2);
  expect((await db.select().from(workspaceUpdates)).filter(({ restoreBackupId, backupId }) => restoreBackupId && backupId)).toHaveLength(2);
});
