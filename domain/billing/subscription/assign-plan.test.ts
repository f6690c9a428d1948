import { expect, onTestFinished, test } from "vitest";
import { planForWorkspace } from "#domain/plans/plan-for-workspace.ts";
import { dayMs } from "#platform/clock.ts";
import { createTestBilling, owner, refusal } from "#testing/payments/test-billing.ts";
import { assignPlan, endPlan, extendTrial } from "./assign-plan.ts";
import { quoteChange } from "../purchases/change/quote-change.ts";
import { quoteResubscribe } from "../purchases/quote-resubscribe.ts";
import { resubscribe } from "../purchases/resubscribe.ts";

async function open() {
  const world = await createTestBilling();
  onTestFinished(() => world[Symbol.asyncDispose]());
  return world;
}

test("an arranged plan without an end keeps running, and its executions are counted from zero each month", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  await world.pass(20 * dayMs);
  expect(await world.state(accountId)).toBe("ended");
  expect(await assignPlan(world.billing, accountId, "enterprise-yearly", null, "grace")).toBeNull();
  expect(await world.desiredState(accountId)).toBe("running");
  await world.pass(400 * dayMs);
  expect(await world.find(accountId)).toMatchObject({ status: "active", specId: "enterprise", provider: null });
  const plan = await planForWorkspace(world.database.db, accountId, world.clock.now());
  expect(plan).toMatchObject({ id: "enterprise", expiresAt: null });
  expect(plan!.periodStarts.length).toBeGreaterThan(1);
  expect(await assignPlan(world.billing, accountId, "no-such-plan", null, "grace")).toMatch(/no plan/);
});

/** Names of the mails about the arranged plan, with their dates. */
const told = async (world: Awaited<ReturnType<typeof open>>, accountId: string) =>
  (await world.mails(accountId)).filter((mail) => !mail.startsWith("trial"));

test("an arranged plan ends on its day: announced 30, 3 and 1 days before, stopped, and deleted 30 days later", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  const until = new Date("2027-06-30T23:59:59Z");
  expect(await assignPlan(world.billing, accountId, "enterprise-monthly", until, "grace")).toBeNull();
  expect(await assignPlan(world.billing, accountId, "enterprise-monthly", until, "grace")).toMatch(
    /already has enterprise-monthly, until 2027-06-30/,
  );
  await world.pass(until.getTime() - world.clock.now().getTime() - 1000);
  expect(await world.desiredState(accountId)).toBe("running");
  expect(await told(world, accountId)).toEqual([
    "plan-arranged 2027-01-10",
    "arranged-plan-ending 2027-05-31",
    "arranged-plan-ending 2027-06-27",
    "arranged-plan-ending 2027-06-29",
  ]);
  await world.pass(1000);
  expect(await world.state(accountId)).toBe("ended");
  expect(await world.desiredState(accountId)).toBe("stopped");
  expect(await world.find(accountId)).toMatchObject({ endedAt: until, deletionAt: new Date("2027-07-30T23:59:59Z") });
  await world.pass(31 * dayMs);
  expect(await world.state(accountId)).toBe("gone");
  expect((await told(world, accountId)).slice(4)).toEqual([
    "arranged-plan-ended 2027-06-30",
    "deletion-warning 2027-07-27",
    "workspace-deleted 2027-07-31",
  ]);
});

test("an arranged plan can be renewed before and after its end, keeps counting executions, and warns only before its new end", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  await assignPlan(world.billing, accountId, "enterprise-monthly", new Date("2027-03-31T23:59:59Z"), "grace");
  const { startedAt } = await world.find(accountId);
  await world.pass(60 * dayMs);
  expect(await assignPlan(world.billing, accountId, "enterprise-monthly", new Date("2027-12-31T23:59:59Z"), "grace")).toBeNull();
  expect((await world.find(accountId)).startedAt).toEqual(startedAt);
  await world.pass(100 * dayMs);
  expect(await world.state(accountId)).toBe("cancelling");
  expect(await told(world, accountId)).toEqual(["plan-arranged 2027-01-10", "arranged-plan-ending 2027-03-01", "plan-arranged 2027-03-11"]);
  await world.pass(200 * dayMs);
  expect(await world.state(accountId)).toBe("ended");
  expect(await assignPlan(world.billing, accountId, "enterprise-monthly", null, "grace")).toBeNull();
  expect(await world.state(accountId)).toBe("active");
  expect(await world.desiredState(accountId)).toBe("running");
  expect((await world.find(accountId)).deletionAt).toBeNull();
  await world.pass(100 * dayMs);
  expect(await world.state(accountId)).toBe("active");
});

test.each([
  ["with an end", new Date("2028-01-01T00:00:00Z")],
  ["without an end", null],
])("an operator withdraws an arranged plan %s, and the customer buys one", async (_what, until) => {
  const world = await open();
  const accountId = await world.addAccount();
  await assignPlan(world.billing, accountId, "enterprise-monthly", until, "grace");
  await expect(world.buy(accountId, "pro-1-monthly")).rejects.toEqual(refusal("already_subscribed"));
  for (const call of [
    () => quoteChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null }),
    () => quoteResubscribe(world.billing, accountId),
    () => resubscribe(world.billing, accountId, null, owner, "key"),
  ]) {
    await expect(call()).rejects.toMatchObject({
      code: "subscription_not_found",
      details: { detail: expect.stringMatching(/contact support/) as string },
    });
  }
  expect(await endPlan(world.billing, accountId, "grace")).toBeNull();
  expect(await endPlan(world.billing, accountId, "grace")).toMatch(/no plan assigned by an operator/);
  expect([await world.state(accountId), await world.desiredState(accountId)]).toEqual(["ended", "stopped"]);
  await world.buy(accountId, "pro-1-monthly");
  await world.settle();
  expect([await world.state(accountId), await world.desiredState(accountId)]).toEqual(["active", "running"]);
  expect(await endPlan(world.billing, accountId, "grace")).toMatch(/no plan assigned by an operator/);
  await world.pass(60 * dayMs);
  expect(await world.state(accountId)).toBe("active");
});

test("a different arranged plan counts executions from zero: usage under the previous plan does not count", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  await assignPlan(world.billing, accountId, "enterprise-monthly", null, "grace");
  await world.pass(10 * dayMs);
  await assignPlan(world.billing, accountId, "starter-monthly", null, "grace");
  expect((await planForWorkspace(world.database.db, accountId, world.clock.now()))!.periodStarts[0]).toEqual(world.clock.now());
});

test("an account that pays the provider cannot also get an arranged plan", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  await world.buy(accountId, "pro-1-monthly");
  await world.settle();
  expect(await assignPlan(world.billing, accountId, "enterprise-monthly", null, "grace")).toMatch(/pays for pro-1-monthly through sandbox/);
  expect(await extendTrial(world.billing, accountId, 7, "grace")).toMatch(/not on its trial/);
});

test("extending a trial moves everything due in it; one that was over begins again", async () => {
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
  expect(await world.desiredState(accountId)).toBe("running");
  await world.pass(10 * dayMs);
  expect(await world.state(accountId)).toBe("gone");
});

test("an ended arranged plan cannot be extended like a trial", async () => {
  const world = await open();
  const accountId = await world.addAccount();
  await assignPlan(world.billing, accountId, "enterprise-monthly", new Date("2027-03-31T23:59:59Z"), "grace");
  await world.pass(90 * dayMs);
  const before = await world.find(accountId);
  expect(await extendTrial(world.billing, accountId, 7, "grace")).toMatch(/not on its trial/);
  expect(await world.find(accountId)).toEqual(before);
});
