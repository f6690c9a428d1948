import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { workspaces } from "#database/tables.ts";
import { after, minuteMs, secondMs } from "#platform/clock.ts";
import { workspaceView } from "#domain/workspaces/workspace-view.ts";
import { driverOf } from "#testing/fleet/sleepers.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import type { RunObservation } from "../../drivers/driver.ts";

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
