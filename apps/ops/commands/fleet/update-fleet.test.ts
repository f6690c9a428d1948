import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { workspaces } from "#database/tables.ts";
import { notePresence } from "#domain/workspaces/present-releases.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { advanceUntil, lookOnce } from "#testing/fleet/fleet-update-scene.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import type { DriverName } from "../../../program/choices/create-driver.ts";
import { releasesOf } from "../../../provisioner/engines/releases/releases-of.ts";
import { CommandRefused, type Command, type CommandInput, type OpsContext } from "../../command.ts";
import { endFleetUpdate, fleetUpdateList, resumeFleetUpdate, rollBackFleetUpdate, stopFleetUpdate } from "./direct-fleet-update.ts";
import { readWaves, updateFleet } from "./update-fleet.ts";

test("waves are numbers or percentages", () => {
  expect(readWaves("1, 5,25%,100%")).toEqual([{ workspaces: 1 }, { workspaces: 5 }, { percent: 25 }, { percent: 100 }]);
});

test.each(["0", "-1", "a", "1,,2", "50%%", "101%", "0%", ""])("waves of %j are refused", (waves) => {
  expect(() => readWaves(waves)).toThrow(CommandRefused);
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

/** Runs commands as an operator would. Each resolves with the lines that it printed. */
function operatorOf(fleet: TestFleet, driver: DriverName = "process") {
  const run = async (command: Command, args: readonly string[], options: CommandInput["options"] = {}): Promise<string[]> => {
    const lines: string[] = [];
    const context = {
      config: { engine: "n8n", driver },
      db: fleet.database.db,
      clock: systemClock,
      log: createLog("silent"),
      operator: "ada",
      reason: "ticket 7",
      print: (line: string) => lines.push(line),
    } as unknown as OpsContext;
    await command.run(context, { arguments: args, options });
    return lines;
  };
  const idOf = async () => /^Fleet update (\S+) /.exec((await run(fleetUpdateList, []))[0]!)![1]!;
  return { run, idOf };
}

const soon = { soak: "0" };

test("a dry run only shows the plan; a run begins it, the workers do it, and the next run has nothing to do", async () => {
  await using fleet = await createTestFleet();
  const ids = await fleetOnOlder(fleet, 3);
  const { run, idOf } = operatorOf(fleet);
  const plan = [
    `3 workspaces to update to ${newest}, in waves of 1, 2. On it already: 0.`,
    "Updated at a time on each host: 3. Each wave is watched for 30 minutes before the next one.",
  ];
  expect(await run(fleetUpdateList, [])).toEqual(["There was no fleet update."]);
  expect(await run(updateFleet, [newest!], { "dry-run": true })).toEqual([...plan, "Nothing was changed."]);
  expect(await run(fleetUpdateList, [])).toEqual(["There was no fleet update."]);
  expect((await run(updateFleet, [newest!], soon)).at(-1)).toMatch(/has begun, and the workers carry it out/);
  await expect(run(updateFleet, [newest!])).rejects.toThrow("Another fleet update is unfinished");
  const id = await idOf();
  await lookOnce(fleet);
  expect((await run(fleetUpdateList, [])).slice(1)).toEqual([
    "Running: wave 1 of 2, watched for 0 of 0 minutes.",
    "  Wave 1: 1 updating.",
    "  Wave 2: 2 waiting.",
  ]);
  await advanceUntil(fleet, id, ({ state }) => state === "done");
  for (const each of ids) expect((await fleet.row(each)).observedVersion).toBe(newest);
  const lines = await run(fleetUpdateList, []);
  expect(lines[0]).toMatch(new RegExp(`^Fleet update ${id} to n8n ${newest}, begun .* by ada: ticket 7\\.$`));
  expect(lines.slice(1)).toEqual([expect.stringMatching(/^Done at /), "  Wave 1: 1 updated.", "  Wave 2: 2 updated."]);
  expect(await run(updateFleet, [newest!])).toEqual([
    `0 workspaces to update to ${newest}. On it already: 3.`,
    "There is nothing to update.",
  ]);
});

test("the plan says who is left out and why, and a downgrade has to be asked for", async () => {
  await using fleet = await createTestFleet();
  const ids = await fleetOnOlder(fleet, 4);
  const { db } = fleet.database;
  const { run } = operatorOf(fleet);
  await db.update(workspaces).set({ desiredState: "stopped" }).where(eq(workspaces.id, ids[1]!));
  await db.update(workspaces).set({ observedState: "offline" }).where(eq(workspaces.id, ids[2]!));
  expect(await run(updateFleet, [newest!], { "dry-run": true, except: "acme-3", canaries: "acme-0" })).toEqual([
    `2 workspaces to update to ${newest}, in waves of 1, 1. On it already: 0.`,
    "Updated at a time on each host: 3. Each wave is watched for 30 minutes before the next one.",
    "Not online now: 1. They come last, and are left out if they are not online within 15 minutes.",
    "Left out, stopped by its plan: acme-1.",
    "Left out, excluded by the command: acme-3.",
    "Nothing was changed.",
  ]);
  await db.update(workspaces).set({ desiredVersion: newest! });
  expect(await run(updateFleet, [older!], { only: "acme-0" })).toEqual([
    `0 workspaces to update to ${older}. On it already: 0.`,
    "Left out, runs a newer version (--allow-downgrade takes it back): acme-0.",
    "Left out, excluded by the command: acme-1, acme-2, acme-3.",
    "There is nothing to update.",
  ]);
  await expect(run(updateFleet, [newest!], { only: "acme-9" })).rejects.toThrow("These accounts have no n8n workspace: acme-9.");
});

test.each([
  ["soak", "-1"],
  ["soak", "30m"],
  ["soak", "100000"],
  ["at-once", "0"],
  ["max-failures", "1.5"],
  ["max-failed-percent", "101"],
  ["only", " , "],
])("--%s %s is refused", async (name, value) => {
  await using fleet = await createTestFleet();
  await expect(operatorOf(fleet).run(updateFleet, [newest!], { [name]: value })).rejects.toThrow(CommandRefused);
});

test("it stops after the first failure and says so; resumed, the others follow; the failed one is skipped the next time", async () => {
  await using fleet = await createTestFleet();
  const ids = await fleetOnOlder(fleet, 3);
  const { run, idOf } = operatorOf(fleet);
  await run(updateFleet, [newest!], soon);
  const id = await idOf();
  const breaking = setInterval(() => {
    for (const [each, { run: running }] of fleet.world.workspaces) if (running?.spec.command[1] === newest) fleet.world.crash(each);
  }, 5);
  await advanceUntil(fleet, id, ({ state }) => state === "stopped").finally(() => clearInterval(breaking));
  const rows = await Promise.all(ids.map((each) => fleet.row(each)));
  expect(rows.map(({ desiredVersion }) => desiredVersion)).toEqual([older, older, older]);
  const lines = await run(fleetUpdateList, []);
  expect(lines[1]).toMatch(/^STOPPED in wave 1 of 2 at .* by its gate: acme-0 could not be updated/);
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}acme-0: could not be updated: /));
  expect(await run(resumeFleetUpdate, [])).toEqual([`The fleet update ${id} to ${newest} continues.`]);
  await advanceUntil(fleet, id, ({ state }) => state === "done");
  expect((await fleet.row(ids[2]!)).observedVersion).toBe(newest);
  expect(await run(updateFleet, [newest!])).toContain("Left out, this version failed there before (--only takes it again): acme-0.");
});

test("an operator stops, rolls back and ends a fleet update, and sees first what a rollback costs", async () => {
  await using fleet = await createTestFleet();
  const ids = await fleetOnOlder(fleet, 2);
  const { run, idOf } = operatorOf(fleet);
  await run(updateFleet, [newest!], { soak: "60" });
  const id = await idOf();
  await lookOnce(fleet);
  await fleet.until(ids[0]!, (row) => row.observedVersion === newest && row.observedState === "online" && row.leaseOwner === null);
  await lookOnce(fleet);
  expect(await run(stopFleetUpdate, [])).toEqual([
    `The fleet update ${id} to ${newest} is stopped. Updates under way finish; no other begins.`,
  ]);
  await expect(run(stopFleetUpdate, [])).rejects.toThrow("is stopped.");
  await expect(run(stopFleetUpdate, [], { id: "nonsense" })).rejects.toThrow("There is no fleet update nonsense.");
  expect(await run(rollBackFleetUpdate, [])).toEqual([
    `acme-0: would return to ${older}; 0 executions and 0 webhook calls since its update would be lost there`,
    "1 workspace would be rolled back. Nothing was changed. What was made since is backed up first. Add --yes.",
  ]);
  await run(rollBackFleetUpdate, [], { yes: true });
  await advanceUntil(fleet, id, ({ state }) => state === "rolled-back");
  expect((await fleet.row(ids[0]!)).observedVersion).toBe(older);
  const lines = await run(fleetUpdateList, []);
  expect(lines[1]).toMatch(/^Rolled back at .*, requested by ada: ticket 7$/);
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^ {2}acme-0: back on \S+; 0 executions and 0 webhook calls since its update are only in its backup [0-9a-f-]{36}$/,
    ),
  );
  expect(lines).toContain("  Left out, not updated before the rollback: acme-1.");
  await expect(run(endFleetUpdate, [])).rejects.toThrow("is rolled-back.");
});

test("a version that is not qualified is refused, with a list of those that are", async () => {
  await using fleet = await createTestFleet();
  await expect(operatorOf(fleet).run(updateFleet, ["9.9.9"])).rejects.toThrow(newest);
});

test("an update to a release whose image is missing, or not proved present yet, names the image and touches nobody", async () => {
  await using fleet = await createTestFleet();
  const [id] = await fleetOnOlder(fleet, 1);
  const before = await fleet.row(id!);
  const { run: runCommand, idOf } = operatorOf(fleet, "kubernetes");
  const run = (dryRun: boolean) => runCommand(updateFleet, [newest!], { ...soon, "dry-run": dryRun });
  await expect(run(false)).rejects.toThrow(/No worker has proved yet that the image of .* can be pulled/);
  const note = (reason: string | null) => notePresence(fleet.database.db, { engine: "n8n", version: newest!, reason }, new Date());
  await note("the image registry.example/slipway/n8n:2-abc cannot be pulled: not found");
  for (const dryRun of [true, false])
    await expect(run(dryRun)).rejects.toThrow(/nothing was changed: the image registry\.example\/slipway\/n8n:2-abc cannot be pulled/);
  expect(await fleet.row(id!)).toMatchObject({ generation: before.generation, desiredVersion: older, observedState: "online" });
  await note(null);
  await run(false);
  await advanceUntil(fleet, await idOf(), ({ state }) => state === "done");
  expect(await fleet.row(id!)).toMatchObject({ desiredVersion: newest, observedVersion: newest });
});
