import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { workspaces } from "#database/tables.ts";
import { after, minuteMs, secondMs } from "#platform/clock.ts";
import { workspaceView } from "#domain/workspaces/workspace-view.ts";
import { say } from "#contract/sentences/say.ts";
import { listFailedVersions } from "#domain/updates/update-store.ts";
import { countFleet } from "#domain/workspaces/observed/fleet-store.ts";
import { isFailureOf } from "#domain/workspaces/stories/stories.ts";
import { readJournal } from "#domain/workspaces/workspace-store.ts";
import { driverOf } from "#testing/fleet/sleepers.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { askFor, commandOf, settled, subjects, updateOf } from "#testing/fleet/update-scene.ts";
import type { Driver, Missing, RunObservation } from "../../drivers/driver.ts";
import { placeLimitMs } from "./start.ts";

test("a workspace that waits for a place in its cluster has not failed, says so once, is recreated if that helps, and starts when there is one", async () => {
  await using fleet = await createTestFleet();
  let hasRoom = false;
  let since = new Date();
  let looks = 0;
  let starts = 0;
  /** Its cluster's settings were corrected after it was made. */
  let isStranded = false;
  const driver = driverOf(fleet);
  const created = new Map<string, RunObservation>();
  const waiting = (seen: RunObservation): RunObservation => {
    looks += 1;
    if (hasRoom || seen.state !== "running") return seen;
    const { address: _address, ...rest } = seen;
    const stranded = isStranded && { stranded: "it was made by other settings" };
    return { ...rest, startedAt: since, waitsFor: "Unschedulable: 0/3 nodes are available", ...stranded };
  };
  const loop = fleet.startLoop({
    driver: {
      ...driver,
      startsElsewhere: true,
      ensure: async (spec) => {
        starts += 1;
        isStranded = false;
        const seen = await driver.ensure(spec);
        created.set(spec.workspaceId, seen);
        return waiting(seen);
      },
      observe: async (workspaceId) => waiting(await driver.observe(workspaceId)),
    },
  });
  const id = await fleet.want("acme");
  await fleet.until(id, (row) => row.reasonCode === "start-waits");
  const before = looks;
  await fleet.until(id, () => looks > before + 2);
  const row = await fleet.row(id);
  expect(row).toMatchObject({ observedState: "starting", failures: 0, address: null });
  expect(workspaceView(row, "")).not.toHaveProperty("cause");
  expect(await fleet.journal(id)).toEqual(["requested", "start-waits"]);
  // One that has waited for long is checked less often.
  since = after(since, -2 * minuteMs);
  await fleet.until(id, (each) => each.leaseOwner === null && each.reconcileAt! > after(new Date(), 5 * secondMs));
  expect(starts).toBe(1);
  isStranded = true;
  await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, id));
  loop.wake();
  await vi.waitFor(() => expect(starts).toBe(2), 20_000);
  await fleet.until(id, (each) => each.leaseOwner === null && each.reconcileAt! > after(new Date(), 5 * secondMs));
  expect(await fleet.journal(id)).toEqual(["requested", "start-waits"]);
  hasRoom = true;
  await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, id));
  loop.wake();
  await fleet.until(id, ({ observedState }) => observedState === "online");
  expect((await fleet.row(id)).address).toBe(created.get(id)?.address);
  expect(await fleet.visit("acme")).toBe(true);
});

/** A cluster in which what this finds waits for something since `since`. */
function waitingFleetDriver(
  fleet: TestFleet,
  { since, waits, missing }: { since: () => Date; waits: (id: string) => boolean; missing: Missing },
): Driver {
  const driver = driverOf(fleet);
  const seen = (id: string, real: RunObservation): RunObservation => {
    if (real.state !== "running" || !waits(id)) return real;
    const { address: _address, ...rest } = real;
    return { ...rest, startedAt: since(), waitsFor: "the image r.example/n8n:2.1.0 cannot be pulled: not found", missing };
  };
  return {
    ...driver,
    startsElsewhere: true,
    ensure: async (spec) => seen(spec.workspaceId, await driver.ensure(spec)),
    observe: async (id) => seen(id, await driver.observe(id)),
  };
}

test("an update whose new version finds no place is rolled back after its limit, names the cause, and may be tried again", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  let since = new Date();
  const waits = (id: string) => commandOf(fleet, id) === "2.1.0";
  const loop = fleet.startLoop({ driver: waitingFleetDriver(fleet, { since: () => since, waits, missing: "image" }) });
  fleet.engine.installed.add("2.1.0");
  const id = await fleet.want("acme");
  await fleet.until(id, settled("2.0.0"));
  fleet.world.get(id).storage.set("things/count.json", '{"workflows":3,"credentials":2,"executions":1}');
  fleet.world.get(id).storage.set("things/flows.json", "as it was");
  await askFor(fleet, id, "2.0.0", "2.1.0");
  const waiting = await fleet.until(id, (row) => row.reasonCode === "start-waits");
  expect(waiting).toMatchObject({ observedState: "starting", progressLabel: "Waiting for the version to be loaded" });
  since = after(since, -placeLimitMs.image);
  await db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, id));
  loop.wake();
  await fleet.until(id, (row) => settled("2.0.0")(row) && row.desiredVersion === "2.0.0");
  expect(commandOf(fleet, id)).toBe("2.0.0");
  expect(await fleet.visit("acme")).toBe(true);
  expect(fleet.world.get(id).storage.get("things/flows.json")).toBe("as it was");
  const update = await updateOf(fleet, id);
  expect(update).toMatchObject({ state: "rolled-back", reason: "The new version could not be loaded onto a server." });
  expect(isFailureOf(update)).toBe(true);
  expect((await listFailedVersions(db, [id])).size).toBe(0);
  const lines = await readJournal(db, id, { most: 20, events: ["no-image", "update-rolled-back"] });
  expect(lines.map(({ event }) => event)).toEqual(["update-rolled-back", "no-image"]);
  for (const { detail } of lines) expect(detail).toContain("r.example/n8n:2.1.0");
  expect(await subjects(fleet)).toEqual(["The update to Test engine 2.1.0 was undone"]);
});

test.each([
  ["memory", "no-place", say("noMemory")],
  ["node", "no-place", say("noServer")],
  ["image", "no-image", say("noImage")],
] as const)(
  "a start that lacks its %s for too long is offline with that cause, once, and adopted when it runs after all",
  async (...row) => {
    const [missing, event, reason] = row;
    await using fleet = await createTestFleet();
    let isWaiting = true;
    const since = after(new Date(), -placeLimitMs[missing]);
    const driver = waitingFleetDriver(fleet, { since: () => since, waits: () => isWaiting, missing });
    const starts = vi.spyOn(driver, "ensure");
    const loop = fleet.startLoop({ driver });
    const id = await fleet.want("acme");
    const again = async () => {
      await fleet.database.db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, id));
      loop.wake();
    };
    await fleet.until(id, ({ failures, leaseOwner }) => failures === 1 && leaseOwner === null);
    await again();
    const failed = await fleet.until(id, ({ failures, leaseOwner }) => failures === 2 && leaseOwner === null);
    expect(failed).toMatchObject({ observedState: "offline", reasonCode: event, reason });
    expect(workspaceView(failed, "")).toMatchObject({ cause: "not-installed" });
    expect(await fleet.journal(id)).toEqual(["requested", event]);
    const overdue = async () => (await countFleet(fleet.database.db, new Date())).startsOverdue;
    const none = { image: 0, place: 0, install: 0 };
    expect(await overdue()).toEqual({ ...none, [missing === "image" ? "image" : "place"]: 1 });
    isWaiting = false;
    await again();
    await fleet.until(id, ({ observedState }) => observedState === "online");
    expect(starts).toHaveBeenCalledTimes(1);
    expect(await overdue()).toEqual(none);
  },
);
