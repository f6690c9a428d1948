/** A second payment: what the service returns itself, what waits for a person, and what it never touches. */
import { expect, test } from "vitest";
import { dayMs, hourMs } from "#platform/clock.ts";
import { openSecondPage, openTestBilling, subscribe, type TestBilling } from "#testing/payments/test-billing.ts";
import { correctionCounts } from "../count-correction.ts";
import { assignPlan } from "../subscription/assign-plan.ts";
import { ProviderRefusal } from "#payments/payment-provider.ts";
import { decideHeldRefund, listHeldRefunds } from "./held-refund-store.ts";

/** Pays twice for what we sold. */
async function payTwice(world: TestBilling): Promise<{ accountId: string; twice: string }> {
  const accountId = await subscribe(world);
  return { accountId, twice: world.provider.pay(await openSecondPage(world, accountId))! };
}

const duplicateMails = async (world: TestBilling, accountId: string) =>
  (await world.mails(accountId)).filter((mail) => mail.startsWith("duplicate-refunded"));

test("a duplicate whose refund the provider refuses is not charged again, and is refunded once the provider agrees", async () => {
  const world = await openTestBilling();
  const { refundSubscription } = world.provider;
  world.provider.refundSubscription = () => Promise.reject(new ProviderRefusal("The charge is disputed."));
  const { accountId, twice } = await payTwice(world);
  await world.pass(dayMs);
  expect(world.provider.subscriptions.get(twice)).toMatchObject({ status: "active", cancelAt: expect.any(Date) as Date });
  expect(await correctionCounts(world.database.db)).toEqual({ "duplicate-not-refunded": 1 });
  world.provider.refundSubscription = refundSubscription;
  await world.pass(7 * hourMs);
  expect(world.provider.refunds.map(({ subscriptionId }) => subscriptionId)).toEqual([twice]);
  expect(world.provider.subscriptions.get(twice)).toMatchObject({ status: "deleted" });
  expect(await duplicateMails(world, accountId)).toHaveLength(1);
});

test("a duplicate that is never refunded ends with its paid period", async () => {
  const world = await openTestBilling();
  world.provider.refundSubscription = () => Promise.reject(new ProviderRefusal("The charge is disputed."));
  const { accountId, twice } = await payTwice(world);
  await world.pass(70 * dayMs);
  expect(world.provider.charges.filter(({ subscriptionId }) => subscriptionId === twice)).toHaveLength(1);
  expect(world.provider.subscriptions.get(twice)).toMatchObject({ status: "deleted" });
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-1-monthly", status: "active" });
});

test("a refund above the limit waits for a person's yes, is made once after it, and is never charged again meanwhile", async () => {
  const world = await openTestBilling();
  const { db } = world.database;
  // The provider of these tests charges one cent per period.
  world.billing.refundLimit = 0;
  const { accountId, twice } = await payTwice(world);
  await world.pass(2 * dayMs);
  expect(world.provider.refunds).toEqual([]);
  expect(await correctionCounts(db)).toEqual({ "refund-waits": 1 });
  expect(await duplicateMails(world, accountId)).toEqual([]);
  expect(world.provider.subscriptions.get(twice)).toMatchObject({ status: "active", cancelAt: expect.any(Date) as Date });
  const [held] = await listHeldRefunds(db);
  expect(held).toMatchObject({ subscriptionId: twice, amount: 1, currency: "USD" });

  expect(await decideHeldRefund(db, { ...held!, amount: 2 }, "refund", "ada", world.clock.now())).toBe(false);
  expect(await decideHeldRefund(db, held!, "refund", "ada", world.clock.now())).toBe(true);
  await world.pass(dayMs);
  expect(world.provider.refunds.map(({ subscriptionId }) => subscriptionId)).toEqual([twice]);
  expect(world.provider.subscriptions.get(twice)).toMatchObject({ status: "deleted" });
  expect(await duplicateMails(world, accountId)).toHaveLength(1);
  expect(await listHeldRefunds(db)).toEqual([]);
});

test("a yes is for the sum that was shown: a larger one is asked for again", async () => {
  const world = await openTestBilling();
  const { db } = world.database;
  world.billing.refundLimit = 0;
  const { twice } = await payTwice(world);
  await world.pass(dayMs);
  const [held] = await listHeldRefunds(db);
  await decideHeldRefund(db, held!, "refund", "ada", world.clock.now());
  (world.provider.charges as { subscriptionId: string; what: string }[]).push({ subscriptionId: twice, what: "by staff" });
  await world.pass(dayMs);
  expect(world.provider.refunds).toEqual([]);
  expect(await listHeldRefunds(db)).toMatchObject([{ subscriptionId: twice, amount: 2, decision: null }]);
  expect(await correctionCounts(db)).toEqual({ "refund-waits": 2 });
});

test("a refund that a person declines is not made, and the second subscription ends with its period", async () => {
  const world = await openTestBilling();
  const { db } = world.database;
  world.billing.refundLimit = 0;
  const { accountId, twice } = await payTwice(world);
  await world.pass(dayMs);
  await decideHeldRefund(db, (await listHeldRefunds(db))[0]!, "keep", "ada", world.clock.now());
  await world.pass(40 * dayMs);
  expect(world.provider.refunds).toEqual([]);
  expect(world.provider.subscriptions.get(twice)).toMatchObject({ status: "deleted" });
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-1-monthly", status: "active" });
});

test.each([
  ["a plan", "pro-2-monthly", "subscribed"],
  ["a retainer that is not in the catalogue", "retainer", "subscribed"],
  ["a retainer that is not in the catalogue", "retainer", "on the trial"],
  ["a retainer that is not in the catalogue", "retainer", "on an arranged plan"],
] as const)(
  "%s (%s) that staff sold to a customer who is %s is neither refunded nor ended, and reported once",
  async (_what, planId, who) => {
    const world = await openTestBilling();
    const accountId = who === "subscribed" ? await subscribe(world) : await world.addAccount();
    if (who === "on an arranged plan") await assignPlan(world.billing, accountId, "enterprise-yearly", null, "ada");
    const before = await world.find(accountId);
    const sold = world.provider.sellAsStaff(accountId, planId);
    await world.settle();
    world.provider.touch(sold);
    await world.pass(3 * dayMs);
    expect(world.provider.refunds).toEqual([]);
    expect(world.provider.subscriptions.get(sold)).toMatchObject({ status: "active", cancelAt: null });
    const { planId: planAfter, provider, providerSubscriptionId } = await world.find(accountId);
    expect({ planId: planAfter, provider, providerSubscriptionId }).toEqual({
      planId: before.planId,
      provider: before.provider,
      providerSubscriptionId: before.providerSubscriptionId,
    });
    expect((await correctionCounts(world.database.db))["subscription-left-alone"]).toBe(1);
    expect(await duplicateMails(world, accountId)).toEqual([]);
  },
);

test("a plan of the catalogue that staff sell at the provider takes over from an arranged plan and from a trial", async () => {
  const world = await openTestBilling();
  for (const arranged of [true, false]) {
    const accountId = await world.addAccount();
    if (arranged) await assignPlan(world.billing, accountId, "enterprise-yearly", null, "ada");
    const sold = world.provider.sellAsStaff(accountId, "pro-2-monthly");
    await world.settle();
    expect(await world.find(accountId)).toMatchObject({ planId: "pro-2-monthly", status: "active", providerSubscriptionId: sold });
    expect(await world.mails(accountId)).toContain("subscription-started 2027-01-10");
  }
  expect(world.provider.refunds).toEqual([]);
  expect(await correctionCounts(world.database.db)).toEqual({});
});
