/** Executions are counted by the months that are paid. */
import { expect, test } from "vitest";
import { planForWorkspace } from "#domain/plans/plan-for-workspace.ts";
import { after, dayMs, minuteMs } from "#platform/clock.ts";
import { openTestBilling, owner, subscribe, type TestBilling } from "#testing/payments/test-billing.ts";
import { confirmChange } from "./purchases/change/confirm-change.ts";
import { quoteChange } from "./purchases/change/quote-change.ts";
import { quoteResubscribe } from "./purchases/quote-resubscribe.ts";
import { resubscribe } from "./purchases/resubscribe.ts";
import { syncSubscription } from "./provider-truth/sync-subscription.ts";

/** The usage period and the paid period, with start and end. */
async function periods(world: TestBilling, accountId: string) {
  const plan = (await planForWorkspace(world.database.db, accountId, world.clock.now()))!;
  const { periodStartsAt, periodEndsAt } = await world.find(accountId);
  return { usage: [plan.periodStarts[0], plan.periodEndsAt], paid: [periodStartsAt, periodEndsAt] };
}

async function expectSame(world: TestBilling, accountId: string): Promise<void> {
  const { usage, paid } = await periods(world, accountId);
  expect(usage).toEqual(paid);
}

test("usage is counted by the paid month: from the purchase, not the trial, and from each renewal", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  await world.pass(5 * dayMs);
  await world.buy(accountId, "pro-1-monthly");
  await world.settle();
  await expectSame(world, accountId);
  await world.pass(40 * dayMs);
  await expectSame(world, accountId);
});

test("after a pause, usage is counted by the period that resubscribing paid for", async () => {
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

test("short months do not move the day on which usage restarts", async () => {
  const world = await openTestBilling({ start: new Date("2027-01-31T09:00:00Z") });
  const accountId = await subscribe(world, "pro-1-monthly");
  const { startedAt } = await world.find(accountId);
  await world.pass(100 * dayMs);
  expect((await world.find(accountId)).startedAt).toEqual(startedAt);
  await expectSame(world, accountId);
});

test("a yearly plan is counted monthly, from the day the year began", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-1-yearly");
  const { startedAt } = await world.find(accountId);
  await world.pass(400 * dayMs);
  expect((await world.find(accountId)).startedAt).toEqual(startedAt);
  const { usage, paid } = await periods(world, accountId);
  expect(usage[0]!.getUTCDate()).toBe(paid[0]!.getUTCDate());
  expect(usage[1]!.getTime() - usage[0]!.getTime()).toBeLessThanOrEqual(31 * dayMs);
});

/** The current limit and usage period. */
async function granted(world: TestBilling, accountId: string) {
  const plan = (await planForWorkspace(world.database.db, accountId, world.clock.now()))!;
  return { limit: plan.limits.executions, from: plan.periodStarts[0] };
}

test.each([
  ["a few minutes before", -5],
  ["exactly when", 0],
  ["a few minutes after", 5],
])("a smaller plan begins with a new usage period if the provider renews %s the usage period ends", async (_what, minutes) => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-2-monthly");
  const held = world.provider.subscriptions.get((await world.find(accountId)).providerSubscriptionId!)!;
  // Providers round the ends of periods, each differently.
  held.periodEndsAt = after(held.periodEndsAt, minutes * minuteMs);
  await syncSubscription(world.billing, accountId);
  const wanted = { planId: "starter-monthly", quotas: null };
  const { previewId } = await quoteChange(world.billing, accountId, wanted);
  await confirmChange(world.billing, accountId, { ...wanted, previewId }, owner, "down");
  const large = await granted(world, accountId);
  const seen = [];
  const end = held.periodEndsAt;
  for (const at of [-90, -10, -6, -4, -1, 0, 1, 4, 6, 10, 90].map((offset) => after(end, offset * minuteMs))) {
    await world.pass(at.getTime() - world.clock.now().getTime());
    seen.push(await granted(world, accountId));
  }
  expect(seen[0]).toEqual(large);
  expect(seen.at(-1)).toMatchObject({ limit: 2500 });
  // The limit never shrinks within a usage period.
  expect(seen.filter(({ limit }) => limit === 2500).every(({ from }) => from! > large.from!)).toBe(true);
});

test("a smaller plan chosen for now is counted in the running usage period, so going down and up again grants no executions twice", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-2-monthly");
  const { from } = await granted(world, accountId);
  await world.pass(10 * dayMs);
  for (const [planId, timing] of [
    ["starter-monthly", "now"],
    ["pro-2-monthly", "now"],
  ] as const) {
    const wanted = { planId, quotas: null, timing };
    const { previewId } = await quoteChange(world.billing, accountId, wanted);
    await confirmChange(world.billing, accountId, { ...wanted, previewId }, owner, planId);
    expect((await granted(world, accountId)).from).toEqual(from);
  }
});

test("a smaller plan that reached the provider days late begins with a new usage period without usage", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-2-monthly");
  const wanted = { planId: "starter-monthly", quotas: null };
  const { previewId } = await quoteChange(world.billing, accountId, wanted);
  await confirmChange(world.billing, accountId, { ...wanted, previewId }, owner, "down");
  await world.pass(29 * dayMs);
  // A week in which nothing of ours ran.
  world.clock.advance(8 * dayMs);
  world.provider.runDue();
  // The renewal at the old plan arrives before the provider is told of the new one.
  await syncSubscription(world.billing, accountId);
  const late = await granted(world, accountId);
  expect(late.limit).toBe(50_000);
  await world.pass(2 * dayMs);
  const small = await granted(world, accountId);
  expect(small.limit).toBe(2500);
  expect(small.from!.getTime()).toBeGreaterThan(late.from!.getTime());
});

test("a smaller plan set at the provider begins with a new usage period", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-2-monthly");
  const held = world.provider.subscriptions.get((await world.find(accountId)).providerSubscriptionId!)!;
  held.periodEndsAt = after(held.periodEndsAt, -20 * minuteMs);
  held.anchorAt = after(held.anchorAt, -20 * minuteMs);
  held.purchase = { ...held.purchase!, planId: "starter-monthly" };
  held.changedAt = world.clock.now();
  const large = await granted(world, accountId);
  await world.pass(held.periodEndsAt.getTime() - world.clock.now().getTime() + minuteMs);
  expect(await granted(world, accountId)).toEqual({ limit: 2500, from: held.periodStartsAt });
  expect(held.periodStartsAt.getTime()).toBeGreaterThan(large.from!.getTime());
});
