/** A comparison of many accounts at a provider that limits its calls. */
import { expect, test } from "vitest";
import { ProviderUnreachable } from "#payments/payment-provider.ts";
import { minuteMs } from "#platform/clock.ts";
import { openTestBilling, subscribe } from "#testing/payments/test-billing.ts";
import { ComparisonEnded, reconcile } from "./reconcile.ts";

test("a comparison waits as long as the provider asks, and then compares all accounts", async () => {
  const world = await openTestBilling();
  for (let index = 0; index < 3; index += 1) await subscribe(world);
  let [reads, isRefusing] = [0, true];
  const { readSubscription } = world.provider;
  world.provider.readSubscription = (id) => {
    reads += 1;
    return isRefusing
      ? Promise.reject(Object.assign(new ProviderUnreachable("too many"), { retryAfterMs: minuteMs }))
      : readSubscription(id);
  };
  const waits: number[] = [];
  const wait = (ms: number) => {
    waits.push(ms);
    isRefusing = waits.length < 2;
    return Promise.resolve();
  };
  const { compared, findings } = await reconcile(world.billing, { since: world.clock.now(), wait });
  expect([compared, findings, waits, reads]).toEqual([3, [], [minuteMs, minuteMs], 5]);
  isRefusing = true;
  await expect(reconcile(world.billing, { since: world.clock.now(), wait: () => Promise.reject(new ComparisonEnded()) })).rejects.toThrow(
    ComparisonEnded,
  );
});
