/** A plan given by an operator: what a running workspace gets only at a start, it gets by one restart. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { workspaceJournal, workspaces } from "#database/tables.ts";
import { dayMs } from "#platform/clock.ts";
import { openTestBilling } from "#testing/payments/test-billing.ts";
import { assignPlan } from "./assign-plan.ts";

/** A running workspace on the trial, and what it was given. */
async function onTrial() {
  const world = await openTestBilling();
  world.billing.workspaceMemoryMb = 1024;
  const accountId = await world.addAccount();
  const { db } = world.database;
  const workspace = async () => (await db.select().from(workspaces).where(eq(workspaces.accountId, accountId)))[0]!;
  const { generation } = await workspace();
  return {
    world,
    accountId,
    given: async () => {
      const now = await workspace();
      const lines = await db.$count(workspaceJournal, eq(workspaceJournal.event, "plan-restart"));
      return { memoryMb: now.memoryMb, starts: now.generation - generation, lines, desired: now.desiredState };
    },
  };
}

test("a larger plan that an operator gives restarts the running workspace once, with its memory", async () => {
  const { world, accountId, given } = await onTrial();
  await assignPlan(world.billing, accountId, "pro-2-yearly", null, "grace");
  expect(await given()).toEqual({ memoryMb: 2048, starts: 1, lines: 1, desired: "running" });
  await world.pass(dayMs);
  expect(await given()).toMatchObject({ starts: 1, lines: 1 });
});

test("a larger plan of a stopped workspace is given at its start, which is the only one", async () => {
  const { world, accountId, given } = await onTrial();
  await world.pass(20 * dayMs);
  expect(await given()).toMatchObject({ desired: "stopped", starts: 1 });
  await assignPlan(world.billing, accountId, "pro-2-yearly", null, "grace");
  expect(await given()).toEqual({ memoryMb: 2048, starts: 2, lines: 0, desired: "running" });
});

test("a smaller plan that an operator gives waits for the workspace's next start, and restarts nothing", async () => {
  const { world, accountId, given } = await onTrial();
  await assignPlan(world.billing, accountId, "pro-2-yearly", null, "grace");
  await assignPlan(world.billing, accountId, "starter-yearly", null, "grace");
  expect(await given()).toEqual({ memoryMb: 1024, starts: 1, lines: 1, desired: "running" });
});
