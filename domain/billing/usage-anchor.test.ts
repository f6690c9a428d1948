/** The months in which executions are counted are those that are paid. */
import { expect, test } from "vitest";
import { planForWorkspace } from "#domain/plans/plan-for-workspace.ts";
import { dayMs } from "#platform/clock.ts";
import { openTestBilling, owner, subscribe, type TestBilling } from "#testing/test-billing.ts";
import { quoteResubscribe } from "./quote-resubscribe.ts";
import { resubscribe } from "./resubscribe.ts";

/** The usage period and the paid one, each from and until. */
async function periods(world: TestBilling, accountId: string) {
  const plan = (await planForWorkspace(world.database.db, accountId, world.clock.now()))!;
  const { periodStartsAt, periodEndsAt } = await world.find(accountId);
  return { usage: [plan.periodStarts[0], plan.periodEndsAt], paid: [periodStartsAt, periodEndsAt] };
}

async function expectSame(world: TestBilling, accountId: string): Promise<void> {
  const { usage, paid } = await periods(world, accountId);
  expect(usage).toEqual(paid);
}

test("usage is counted by the month that is paid: from the purchase, not from the trial, and from each renewal on", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  await world.pass(5 * dayMs);
  await world.buy(accountId, "pro-1-monthly");
  await world.settle();
  await expectSame(world, accountId);
  await world.pass(40 * dayMs);
  await expectSame(world, accountId);
});

test("after a pause usage is counted by the period that resubscribing has paid", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-1-monthly");
  world.provider.cardPays = false;
  await world.pass(42 * dayMs);
  expect(await world.state(accountId)).toBe("paused");
  world.provider.cardPays = true;
  const { previewId } = await quoteResubscribe(world.billing, accountId);
  await resubscribe(world.billing, accountId, previewId, owner, "again");
  expect(await world.state(accountId)).toBe("active");
  expect((await world.find(accountId)).periodStartsAt).toEqual(world.clock.now());
  await expectSame(world, accountId);
  await world.pass(31 * dayMs);
  await expectSame(world, accountId);
});

test("short months do not move the day on which usage begins anew", async () => {
  const world = await openTestBilling({ start: new Date("2027-01-31T09:00:00Z") });
  const accountId = await subscribe(world, "pro-1-monthly");
  const { startedAt } = await world.find(accountId);
  await world.pass(100 * dayMs);
  expect((await world.find(accountId)).startedAt).toEqual(startedAt);
  await expectSame(world, accountId);
});

test("what is paid by the year is counted by the month, from the day the year began", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-1-yearly");
  const { startedAt } = await world.find(accountId);
  await world.pass(400 * dayMs);
  expect((await world.find(accountId)).startedAt).toEqual(startedAt);
  const { usage, paid } = await periods(world, accountId);
  expect(usage[0]!.getUTCDate()).toBe(paid[0]!.getUTCDate());
  expect(usage[1]!.getTime() - usage[0]!.getTime()).toBeLessThanOrEqual(31 * dayMs);
});
