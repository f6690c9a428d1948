/** A comparison of many accounts at a provider that limits its calls. */
import { expect, test } from "vitest";
import { beat } from "#domain/memory-gap/memory-gap-store.ts";
import { ProviderUnreachable } from "#payments/payment-provider.ts";
import { minuteMs, secondMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { openTestBilling, subscribe } from "#testing/payments/test-billing.ts";
import { waitFor } from "#testing/wait-for.ts";
import { ComparisonEnded, reconcile } from "./reconcile.ts";
import { reconcileIfDue } from "./reconcile-loop.ts";

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

test("a comparison that waits keeps its lease, and ends once another process has it", async () => {
  const world = await openTestBilling();
  const { pool } = world.database;
  await subscribe(world);
  let reads = 0;
  const limited = () => Promise.reject(Object.assign(new ProviderUnreachable("too many"), { retryAfterMs: 60 * minuteMs }));
  const provider = { ...world.provider, readSubscription: () => ((reads += 1), limited()) };
  // The first beat of a database with subscriptions: everybody is compared.
  await beat(world.database.db, world.clock.now(), null);
  const comparing = reconcileIfDue({ ...world.billing, provider }, { renewsEveryMs: 1 });
  const soon = { timeout: 20 * secondMs, interval: 20 };
  await waitFor(() => expect(reads).toBe(1), soon);
  // As after four of its five minutes.
  await pool.query("update leases set until = clock_timestamp() + interval '1 minute'");
  const isRenewed = "select until > clock_timestamp() + interval '4 minutes' as renewed from leases";
  await waitFor(async () => expect((await pool.query(isRenewed)).rows).toEqual([{ renewed: true }]), soon);
  const other = newId();
  await pool.query("update leases set holder = $1", [other]);
  await comparing;
  expect((await pool.query("select holder from leases")).rows).toEqual([{ holder: other }]);
  expect(reads).toBe(1);
});
