import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { timers, users } from "#database/tables.ts";
import { dayMs } from "#platform/clock.ts";
import { openTestBilling, owner, subscribe } from "#testing/payments/test-billing.ts";
import { correctionCounts } from "../count-correction.ts";
import { confirmChange } from "../purchases/change/confirm-change.ts";
import { lookAtProvider } from "./look-at-provider.ts";
import { ProviderRefusal } from "#payments/payment-provider.ts";
import { receiveEvent } from "./provider-event-store.ts";
import { quoteChange } from "../purchases/change/quote-change.ts";

test("the provider learns a new address immediately and again each week; one that it refuses delays nothing", async () => {
  const world = await openTestBilling();
  const { db } = world.database;
  const accountId = await subscribe(world);
  const told: [string, { accountId: string; email: string }][] = [];
  world.provider.saveEmail = (...call) => (
    told.push(call),
    told.length < 3 ? Promise.resolve() : Promise.reject(new ProviderRefusal("another customer has it"))
  );
  const email = `moved-${accountId}@example.com`;
  await db.transaction(async (tx) => {
    await tx.update(users).set({ email }).where(eq(users.accountId, accountId));
    await lookAtProvider(tx, accountId, world.clock.now());
  });
  await world.settle();
  const { providerCustomerId } = await world.find(accountId);
  expect(told).toEqual([[providerCustomerId, { accountId, email }]]);
  await world.pass(15 * dayMs);
  expect(told).toHaveLength(3);
  expect(new Set(told.map(([, { email: to }]) => to))).toEqual(new Set([email]));
  // The refused check is done, and the next one is planned.
  const armed = await db
    .select({ kind: timers.kind, attempts: timers.attempts, dueAt: timers.dueAt })
    .from(timers)
    .where(eq(timers.accountId, accountId));
  expect(armed).toEqual([expect.objectContaining({ kind: "truth-check", attempts: 0 })]);
  expect(armed[0]!.dueAt.getTime()).toBeGreaterThan(world.clock.now().getTime());
});

test("a weekly check that finds nothing but a newer reading is no missed event", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const { readSubscription } = world.provider;
  world.provider.readSubscription = async (id) => {
    const read = await readSubscription(id);
    return read && { ...read, changedAt: world.clock.now() };
  };
  let settled = 0;
  world.billing.settlePayments = () => Promise.resolve(void (settled += 1));
  await world.pass(15 * dayMs);
  expect(settled).toBe(0);
  expect(await correctionCounts(world.database.db)).toEqual({});
  expect((await world.find(accountId)).providerChangedAt!.getTime()).toBeGreaterThan(world.clock.now().getTime() - 2 * dayMs);
});

test("without a subscription, no provider is called", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  await world.database.db.transaction((tx) => lookAtProvider(tx, accountId, world.clock.now()));
  const armed = await world.database.db.select({ kind: timers.kind }).from(timers).where(eq(timers.accountId, accountId));
  expect(armed.map(({ kind }) => kind)).not.toContain("truth-check");
});

test("an event about a customer, such as a new card, refreshes our copies", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const settled: string[] = [];
  world.billing.settlePayments = (id) => Promise.resolve(void settled.push(id));
  const { providerCustomerId } = await world.find(accountId);
  await receiveEvent(
    world.database.db,
    "sandbox",
    {
      id: "evt_card",
      kind: "customer",
      type: "payment_method.saved",
      occurredAt: world.clock.now(),
      subscriptionId: null,
      customerId: providerCustomerId,
      accountId: null,
      payload: {},
    },
    world.clock.now(),
  );
  await world.settle();
  expect(settled).toEqual([accountId]);
});

test("work that fell due while another provider was configured is done once the old one is back", async () => {
  const world = await openTestBilling();
  const [unpaid, smaller] = [await subscribe(world), await subscribe(world, "pro-2-monthly")];
  const wanted = { planId: "starter-monthly", quotas: null };
  const { previewId } = await quoteChange(world.billing, smaller, wanted);
  await confirmChange(world.billing, smaller, { ...wanted, previewId }, owner, "down");
  world.billing.provider = { ...world.provider, name: "stripe" };
  await world.pass(33 * dayMs);
  const theirs = world.provider.subscriptions.get((await world.find(unpaid)).providerSubscriptionId!)!;
  Object.assign(theirs, { status: "deleted", providerStatus: "deleted", endedAt: world.clock.now(), changedAt: world.clock.now() });
  expect([await world.desiredState(unpaid), (await world.find(smaller)).specId]).toEqual(["running", "pro-2"]);
  world.billing.provider = world.provider;
  await world.pass(3 * dayMs);
  expect([await world.desiredState(unpaid), (await world.find(smaller)).specId]).toEqual(["stopped", "starter"]);
});
