import { expect, onTestFinished, test } from "vitest";
import { planForWorkspace } from "#domain/plans/plan-for-workspace.ts";
import { dayMs } from "#platform/clock.ts";
import { createTestBilling } from "#testing/test-billing.ts";
import { assignPlan, extendTrial } from "./assign-plan.ts";

async function open() {
  const world = await createTestBilling();
  onTestFinished(() => world[Symbol.asyncDispose]());
  return world;
}

test("a plan that is arranged with a customer runs without an end, and its executions count anew each month", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  await world.pass(20 * dayMs);
  expect(await world.state(accountId)).toBe("ended");
  expect(await assignPlan(world.billing, accountId, "enterprise-yearly", "grace")).toBeNull();
  expect(await world.wanted(accountId)).toBe("running");
  await world.pass(400 * dayMs);
  expect(await world.find(accountId)).toMatchObject({ status: "active", specId: "enterprise", provider: null });
  const plan = await planForWorkspace(world.database.db, accountId, world.clock.now());
  expect(plan).toMatchObject({ id: "enterprise", expiresAt: null });
  expect(plan!.periodStarts.length).toBeGreaterThan(1);
  expect(await assignPlan(world.billing, accountId, "no-such-plan", "grace")).toMatch(/no plan/);
});

test("whoever pays the provider is not given a plan beside it", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  await world.buy(accountId, "pro-1-monthly");
  await world.settle();
  expect(await assignPlan(world.billing, accountId, "enterprise-monthly", "grace")).toMatch(/pays for pro-1-monthly by sandbox/);
  expect(await extendTrial(world.billing, accountId, 7, "grace")).toMatch(/not on its trial/);
});

test("a longer trial moves everything that falls due in it; one that was over begins again", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  await extendTrial(world.billing, accountId, 7, "grace");
  expect(await planForWorkspace(world.database.db, accountId, world.clock.now())).toMatchObject({ trialDays: 21 });
  await world.pass(20 * dayMs);
  expect(await world.state(accountId)).toBe("trial");
  expect(await world.mails(accountId)).toEqual(["trial-ending 2027-01-28", "trial-ending 2027-01-30"]);
  await world.pass(2 * dayMs);
  expect(await world.state(accountId)).toBe("ended");
  await extendTrial(world.billing, accountId, 3, "grace");
  expect(await world.wanted(accountId)).toBe("running");
  await world.pass(10 * dayMs);
  expect(await world.state(accountId)).toBe("gone");
});
