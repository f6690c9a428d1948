import { expect, test } from "vitest";
import { idempotencyKeys } from "#database/tables.ts";
import { after, dayMs, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { payable } from "#testing/payments/memory-provider.ts";
import { openTestBilling, owner, subscribe } from "#testing/payments/test-billing.ts";
import { ProviderUnreachable } from "#payments/payment-provider.ts";
import { startCheckout } from "./start-checkout.ts";

test("a click whose answer was lost, repeated after another one replaced its page, opens a page that can be paid at", async () => {
  const world = await openTestBilling();
  const accountId = await world.addAccount();
  const click = (planId: string, key: string) =>
    startCheckout(world.billing, accountId, { planId, quotas: null, currency: "USD" }, owner, key);
  const key = newId();
  await click("pro-1-monthly", key);
  // Its process was killed before it could record the answer.
  await world.database.db.update(idempotencyKeys).set({ state: "running", response: null, leaseUntil: after(new Date(), -minuteMs) });
  await click("starter-monthly", newId());
  const { url } = await click("pro-1-monthly", key);
  expect(payable(world.provider)).toEqual([url.split("/").at(-1)]);
});

test("a new purchase after the deletion leaves nothing at the provider that could charge the customer", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  world.provider.cardPays = false;
  const { cancelNow } = world.provider;
  world.provider.cancelNow = () => Promise.reject(new ProviderUnreachable("not now"));
  await world.pass(69 * dayMs);
  expect(await world.state(accountId)).toBe("gone");
  const old = world.provider.subscriptions.get((await world.find(accountId)).providerSubscriptionId!)!;
  expect(old.status).toBe("paused");
  Object.assign(world.provider, { cancelNow, cardPays: true });
  await world.buy(accountId, "pro-1-monthly");
  await world.settle();
  expect([await world.state(accountId), old.status]).toEqual(["active", "deleted"]);
});
