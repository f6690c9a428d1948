/** A second payment that the provider does not refund: it is not charged again, and everything else continues. */
import { expect, test } from "vitest";
import { dayMs, hourMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { openTestBilling, subscribe } from "#testing/payments/test-billing.ts";
import { correctionCounts } from "../count-correction.ts";
import { ProviderRefusal } from "#payments/payment-provider.ts";

const request = {
  email: "",
  name: "",
  purchase: { planId: "starter-monthly", extraExecutionUnits: 0, extraWorkflowUnits: 0 },
  currency: "USD",
  customerId: null,
  details: null,
  successUrl: "",
  cancelUrl: "",
};

test("a duplicate whose refund the provider refuses is not charged again, and is refunded once the provider agrees", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const { checkoutId } = await world.provider.createCheckout({ ...request, accountId }, newId());
  const { refundSubscription } = world.provider;
  world.provider.refundSubscription = () => Promise.reject(new ProviderRefusal("The charge is disputed."));
  const twice = world.provider.pay(checkoutId)!;
  await world.pass(dayMs);
  expect(world.provider.subscriptions.get(twice)).toMatchObject({ status: "active", cancelAt: expect.any(Date) as Date });
  expect(await correctionCounts(world.database.db)).toEqual({ "duplicate-not-refunded": 1 });
  world.provider.refundSubscription = refundSubscription;
  await world.pass(7 * hourMs);
  expect(world.provider.refunds.map(({ subscriptionId }) => subscriptionId)).toEqual([twice]);
  expect(world.provider.subscriptions.get(twice)).toMatchObject({ status: "deleted" });
  expect((await world.mails(accountId)).filter((mail) => mail.startsWith("duplicate-refunded"))).toHaveLength(1);
});

test("a duplicate that is never refunded ends with its paid period", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const { checkoutId } = await world.provider.createCheckout({ ...request, accountId }, newId());
  world.provider.refundSubscription = () => Promise.reject(new ProviderRefusal("The charge is disputed."));
  const twice = world.provider.pay(checkoutId)!;
  await world.pass(70 * dayMs);
  expect(world.provider.charges.filter(({ subscriptionId }) => subscriptionId === twice)).toHaveLength(1);
  expect(world.provider.subscriptions.get(twice)).toMatchObject({ status: "deleted" });
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-1-monthly", status: "active" });
});
