/** What was read for one account's work answers for no other account, and not for the same account's later work. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { isNull } from "drizzle-orm";
import { providerEvents } from "#database/tables.ts";
import { secondMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { readOnce } from "#platform/loops/read-once.ts";
import { createNotifications } from "#platform/postgres/listen.ts";
import { openTestBilling, receiveEventOf, subscribe } from "#testing/payments/test-billing.ts";
import { waitFor } from "#testing/wait-for.ts";
import { startBillingLoop } from "./billing-loop.ts";
import { slotsAtOnce } from "./deal-accounts.ts";

/** Longer than a call keeps its slot (deal-accounts.ts). */
const slowMs = 150;

test("while other accounts' slow calls free their slots, an account's later event is answered by a new look", async () => {
  const world = await openTestBilling();
  const { db } = world.database;
  const accounts: string[] = [];
  // One more than there are slots: its work begins when a call of another account gives its slot up.
  for (let index = 0; index <= slotsAtOnce; index += 1) accounts.push(await subscribe(world));
  const ids = await Promise.all(accounts.map(async (accountId) => (await world.find(accountId)).providerSubscriptionId!));
  const isCancelled = new Set<string>();
  const provider = new Proxy(world.provider, {
    get: (target, name) =>
      name !== "readSubscription"
        ? (Reflect.get(target, name) as unknown)
        : (id: string) =>
            readOnce(`subscription ${id}`, async () => {
              const answer = await target.readSubscription(id);
              await delay(slowMs);
              if (!isCancelled.has(id)) {
                isCancelled.add(id);
                await target.cancelAtPeriodEnd(id, newId());
                await receiveEventOf(world, accounts[ids.indexOf(id)]!, { kind: "subscription" });
              }
              return answer;
            }),
  });
  for (const accountId of accounts) await receiveEventOf(world, accountId, { kind: "subscription" });
  const loop = await startBillingLoop({ ...world.billing, provider }, createNotifications({ ...world.database, log: world.billing.log }));
  try {
    await waitFor(
      async () => {
        expect(isCancelled.size).toBe(accounts.length);
        expect(await db.$count(providerEvents, isNull(providerEvents.handledAt))).toBe(0);
      },
      { timeout: 20 * secondMs, interval: 20 },
    );
  } finally {
    await loop.stop();
  }
  const states = await Promise.all(accounts.map((accountId) => world.state(accountId)));
  expect(states).toEqual(accounts.map(() => "cancelling"));
});
