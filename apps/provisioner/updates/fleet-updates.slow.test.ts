import { expect, test } from "vitest";
import { workspaces, workspaceUpdates } from "#database/tables.ts";
import { directFleetUpdate } from "#domain/updates/fleet/direct-fleet-update.ts";
import { advanceUntil, beginFleetUpdate, launchFleet, plannedStates } from "#testing/fleet/fleet-update-scene.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";

test("a fleet of 60 workspaces is updated, stopped in the third wave by its gate, and rolled back", async () => {
  await using fleet = await createTestFleet();
  fleet.startLoop();
  const names = Array.from({ length: 60 }, (_, n) => `w${String(n).padStart(2, "0")}`);
  const ids = await launchFleet(fleet, names);
  const { db } = fleet.database;
  const waves = [{ workspaces: 2 }, { workspaces: 8 }, { percent: 50 }];
  const { id } = await beginFleetUpdate(fleet, { canaries: ["w59"], waves }, { atOnce: 10 });
  await advanceUntil(fleet, id, ({ wave }) => wave === 4);
  // The third wave after the canary: the new version shows its fault in one of the workspaces that have it already.
  const broken = ids.get("w59")!;
  fleet.world.crash(broken);
  await fleet.until(broken, (row) => row.observedState === "online");
  const stopped = await advanceUntil(fleet, id, ({ state }) => state === "stopped");
  expect(stopped).toMatchObject({ wave: 4, waves: 5, stopReason: "w59 crashed after its update" });
  const versions = async () => (await db.select({ version: workspaces.desiredVersion }).from(workspaces)).map(({ version }) => version);
  const touched = (await versions()).filter((version) => version === "2.1.0").length;
  expect(touched).toBeGreaterThan(10);
  expect(touched).toBeLessThan(60);

  await directFleetUpdate(db, { id, direction: "roll-back", operator: "ada", reason: "it crashes" }, new Date());
  await advanceUntil(fleet, id, ({ state }) => state === "rolled-back");
  expect([...new Set(await versions())]).toEqual(["2.0.0"]);
  const states = Map.groupBy(await plannedStates(fleet, id), (line) => line.split(": ")[1]!.split(" crashed")[0]!);
  expect([...states.keys()].toSorted()).toEqual(["left-out rolled-back-first", "rolled-back"]);
  expect(states.get("rolled-back")).toHaveLength(touched);
  for (const name of names) expect(fleet.world.get(ids.get(name)!).storage.get("things/flows.json")).toBe(`of ${name}`);
  expect(await db.select().from(workspaceUpdates)).toHaveLength(2 * touched);
});
