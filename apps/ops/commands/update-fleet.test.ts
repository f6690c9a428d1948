import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { workspaces } from "#database/tables.ts";
import { say } from "#contract/sentences/say.ts";
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import { releasesOf } from "../../provisioner/engines/releases/releases-of.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { notePresence } from "#domain/workspaces/present-releases.ts";
import type { DriverName } from "../../program/choices/create-driver.ts";
import { CommandRefused, type OpsContext } from "../command.ts";
import { planWaves, updateFleet } from "./update-fleet.ts";

test.each([
  ["1,5,25,100%", 40, [1, 5, 25, 9]],
  ["1,5,25,100%", 3, [1, 2]],
  ["10%", 25, [3, 3, 3, 3, 3, 3, 3, 3, 1]],
  ["2", 5, [2, 2, 1]],
  ["1,5", 0, []],
])("waves of %s over %i workspaces are %j", (waves, total, expected) => {
  expect(planWaves(waves, total)).toEqual(expected);
});

test.each(["0", "-1", "a", "1,,2", "50%%", ""])("waves of %j are refused", (waves) => {
  expect(() => planWaves(waves, 10)).toThrow(CommandRefused);
});

const [newest, older] = releasesOf("n8n").map(({ version }) => version);

/** Simulated workspaces that run the older release of n8n. */
async function fleetOnOlder(fleet: TestFleet, count: number): Promise<string[]> {
  fleet.engine.installed.add(newest!).add(older!);
  fleet.startLoop();
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await fleet.want(`acme-${n}`));
  for (const id of ids) {
    await fleet.until(id, (row) => row.observedState === "online" && row.leaseOwner === null);
    fleet.world.get(id).storage.set("things/count.json", '{"workflows":1,"credentials":0,"executions":0}');
    await fleet.database.db.update(workspaces).set({ desiredVersion: older!, observedVersion: older! }).where(eq(workspaces.id, id));
  }
  return ids;
}

function contextOf(fleet: TestFleet, driver: DriverName = "process"): { context: OpsContext; lines: string[] } {
  const lines: string[] = [];
  const context = {
    config: { engine: "n8n", driver },
    db: fleet.database.db,
    clock: systemClock,
    log: createLog("silent"),
    operator: "ada",
    print: (line: string) => lines.push(line),
  } as unknown as OpsContext;
  return { context, lines };
}

test("a dry run only shows what would be done; a run updates wave after wave; the next run has nothing to do", async () => {
  await using fleet = await createTestFleet();
  const ids = await fleetOnOlder(fleet, 3);
  const { context, lines } = contextOf(fleet);
  await updateFleet.run(context, { arguments: [newest!], options: { "dry-run": true } });
  expect(lines).toEqual([`3 workspaces to update to ${newest}, in waves of 1, 2. Skipped because of an earlier failed update: 0.`]);
  expect((await fleet.row(ids[0]!)).desiredVersion).toBe(older);
  await updateFleet.run(context, { arguments: [newest!], options: {} });
  expect(lines.slice(2)).toEqual([
    "Wave 1 of 2: 1 updated, 0 failed, 0 skipped.",
    "Wave 2 of 2: 2 updated, 0 failed, 0 skipped.",
    `All done: ${newest}.`,
  ]);
  for (const id of ids) expect((await fleet.row(id)).observedVersion).toBe(newest);
  await updateFleet.run(context, { arguments: [newest!], options: {} });
  expect(lines.at(-2)).toContain("0 workspaces to update");
});

test("it stops after the first wave with a failure, and skips the failed workspace the next time", async () => {
  await using fleet = await createTestFleet();
  const ids = await fleetOnOlder(fleet, 3);
  const { context, lines } = contextOf(fleet);
  const breaking = setInterval(() => {
    for (const [id, { run }] of fleet.world.workspaces) if (run?.spec.command[1] === newest) fleet.world.crash(id);
  }, 5);
  try {
    await expect(updateFleet.run(context, { arguments: [newest!], options: {} })).rejects.toThrow(
      `Stopped. Failed updates to ${newest}: 1.`,
    );
  } finally {
    clearInterval(breaking);
  }
  const rows = await Promise.all(ids.map((id) => fleet.row(id)));
  expect(rows.map(({ desiredVersion }) => desiredVersion)).toEqual([older, older, older]);
  await fleet.until(ids[0]!, (row) => row.observedState === "online" && row.observedVersion === older);
  await updateFleet.run(context, { arguments: [newest!], options: {} });
  expect(lines.find((line) => line.includes("earlier failed update: 1"))).toContain("2 workspaces to update");
});

test.each(["deletes the workspace", "chooses another version", "stops paying"])(
  "a customer who %s during the update does not stop the fleet, and is not marked for ever",
  async (how) => {
    await using fleet = await createTestFleet();
    await fleetOnOlder(fleet, 2);
    const { context, lines } = contextOf(fleet);
    const { db } = fleet.database;
    let first = true;
    // In the first wave, before a worker takes it: what the customer does is in the way of the update.
    const isInstalled = fleet.engine.isInstalled.bind(fleet.engine);
    fleet.engine.isInstalled = async (version) => {
      if (version === newest && first) {
        first = false;
        const [row] = await db.select().from(workspaces).where(eq(workspaces.desiredVersion, newest!));
        const line = { event: "requested", message: say("paid") } as const;
        if (how === "chooses another version")
          await db
            .update(workspaces)
            .set({ desiredVersion: older!, generation: row!.generation + 1 })
            .where(eq(workspaces.id, row!.id));
        else
          await db.transaction((tx) =>
            setDesiredState(tx, row!.accountId, how === "stops paying" ? "stopped" : "deleted", line, new Date()),
          );
      }
      return isInstalled(version);
    };
    await updateFleet.run(context, { arguments: [newest!], options: {} });
    expect(lines.slice(1)).toEqual([
      "Wave 1 of 2: 0 updated, 0 failed, 1 skipped.",
      "Wave 2 of 2: 1 updated, 0 failed, 0 skipped.",
      `All done: ${newest}.`,
    ]);
    await updateFleet.run(context, { arguments: [newest!], options: { "dry-run": true } });
    expect(lines.at(-1)).toContain("Skipped because of an earlier failed update: 0.");
  },
);

test("a version that is not qualified is refused, with a list of those that are", async () => {
  await using fleet = await createTestFleet();
  await expect(updateFleet.run(contextOf(fleet).context, { arguments: ["9.9.9"], options: {} })).rejects.toThrow(newest);
});

test("an update to a release whose image is missing, or not proved present yet, names the image and touches nobody", async () => {
  await using fleet = await createTestFleet();
  const [id] = await fleetOnOlder(fleet, 1);
  const before = await fleet.row(id!);
  const { context } = contextOf(fleet, "kubernetes");
  const run = (dryRun: boolean) => updateFleet.run(context, { arguments: [newest!], options: { "dry-run": dryRun } });
  await expect(run(false)).rejects.toThrow(/No worker has proved yet that the image of .* can be pulled/);
  const note = (reason: string | null) => notePresence(fleet.database.db, { engine: "n8n", version: newest!, reason }, new Date());
  await note("the image registry.example/slipway/n8n:2-abc cannot be pulled: not found");
  for (const dryRun of [true, false])
    await expect(run(dryRun)).rejects.toThrow(/nothing was changed: the image registry\.example\/slipway\/n8n:2-abc cannot be pulled/);
  expect(await fleet.row(id!)).toMatchObject({ generation: before.generation, desiredVersion: older, observedState: "online" });
  await note(null);
  await run(false);
  expect(await fleet.row(id!)).toMatchObject({ desiredVersion: newest, observedVersion: newest });
});
