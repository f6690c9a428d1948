/** A start that ends after its pass stopped waiting for it. */
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { workspaces } from "#database/tables.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";

test("a workspace that must stop while it starts late is stopped once that start is over", async () => {
  await using fleet = await createTestFleet();
  const { driver } = fleet.backupTools;
  const asked: string[] = [];
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  let turn: Promise<unknown> = held;
  // One call at a time for a workspace, as every driver does; observing it does not wait.
  const ensure: typeof driver.ensure = (spec) => {
    asked.push(spec.run ? "start" : "stop");
    const work = turn.then(() => driver.ensure(spec));
    turn = work.catch(() => undefined);
    // A start first makes the workspace's folder.
    return spec.run ? driver.ensure({ ...spec, run: false }).then(() => Promise.reject(new Error("the start took too long"))) : work;
  };
  fleet.startLoop({ driver: { ...driver, ensure } });
  const id = await fleet.want("late");
  await fleet.until(id, (row) => row.reasonCode === "fault");
  const { db } = fleet.database;
  const now = new Date();
  await db.update(workspaces).set({ desiredState: "stopped", reconcileAt: now, updatedAt: now }).where(eq(workspaces.id, id));
  await vi.waitFor(async () => expect(asked.includes("stop") || (await fleet.row(id)).observedState === "stopped").toBe(true), {
    timeout: 60_000,
  });
  goOn();
  await fleet.until(id, (row) => row.observedState === "stopped");
  await turn;
  expect(await driver.observe(id)).toMatchObject({ state: "stopped" });
});
