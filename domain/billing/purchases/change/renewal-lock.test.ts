/** A provider that accepts no change for a while before each renewal. */
import { expect, test } from "vitest";
import { hourMs, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { openTestBilling, owner, refusal, subscribe } from "#testing/payments/test-billing.ts";
import { cancelSubscription } from "../cancel-subscription.ts";
import { confirmChange } from "./confirm-change.ts";
import { ProviderUnreachable, RenewalUnderWay } from "#payments/payment-provider.ts";
import { quoteChange } from "./quote-change.ts";

test("in the last half hour before a renewal, the customer is told to wait until it has happened", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const locked = () => Promise.reject(new RenewalUnderWay("locked"));
  Object.assign(world.provider, { cancelAtPeriodEnd: locked, previewChange: locked });
  await expect(cancelSubscription(world.billing, accountId, { reason: null }, owner, newId())).rejects.toEqual(
    refusal("renewal_under_way"),
  );
  await expect(quoteChange(world.billing, accountId, { planId: "pro-2-monthly", quotas: null })).rejects.toEqual(
    refusal("renewal_under_way"),
  );
});

test("a change for the period's end that missed the renewal is kept and made after it", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-2-monthly");
  const { previewId } = await quoteChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null });
  await confirmChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null, previewId }, owner, newId());
  const end = (await world.find(accountId)).periodEndsAt!;
  const { previewChange } = world.provider;
  // Unavailable for the hours in which it would have been told, then locked.
  world.provider.previewChange = (...asked) => {
    const leftMs = end.getTime() - world.clock.now().getTime();
    if (leftMs > 30 * minuteMs) return Promise.reject(new ProviderUnreachable("away"));
    return leftMs > 0 ? Promise.reject(new RenewalUnderWay("locked")) : previewChange(...asked);
  };
  await world.pass(end.getTime() - world.clock.now().getTime() - minuteMs);
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-2-monthly", scheduledPlanId: "pro-1-monthly", scheduledToldAt: null });
  await world.pass(2 * hourMs);
  expect(await world.find(accountId)).toMatchObject({ planId: "pro-1-monthly", specId: "pro-1", scheduledPlanId: null });
});

test("a change for the period's end survives two hours of provider outage before the renewal lock", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-2-monthly");
  const { previewId } = await quoteChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null });
  await confirmChange(world.billing, accountId, { planId: "pro-1-monthly", quotas: null, previewId }, owner, newId());
  const end = (await world.find(accountId)).periodEndsAt!;
  await world.pass(end.getTime() - world.clock.now().getTime() - 150 * minuteMs);
  world.provider.trouble = "away";
  await world.pass(2 * hourMs);
  expect((await world.find(accountId)).scheduledToldAt).not.toBeNull();
});
