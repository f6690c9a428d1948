import { expect, test } from "vitest";
import { dayMs, hourMs } from "#platform/clock.ts";
import { openTestBilling, subscribe } from "#testing/payments/test-billing.ts";
import { correctionCounts, forPerson } from "./count-correction.ts";

test("a fault in one account's billing is recorded with its account once a day, and all other accounts continue", async () => {
  const world = await openTestBilling();
  const { db } = world.database;
  const [broken, fine] = [await subscribe(world), await subscribe(world)];
  const id = (await world.find(broken)).providerSubscriptionId!;
  const { readSubscription } = world.provider;
  world.provider.readSubscription = (asked) =>
    asked === id ? Promise.reject(new TypeError("Cannot read properties of undefined")) : readSubscription(asked);
  world.provider.touch(id);
  world.provider.touch((await world.find(fine)).providerSubscriptionId!);
  await world.pass(hourMs);
  expect(await correctionCounts(db)).toEqual({ "account-failing": 1 });
  expect(await forPerson(db, world.clock.now())).toEqual([{ kind: "account-failing", accountId: broken }]);
  expect((await world.find(fine)).providerChangedAt).toEqual(
    world.provider.subscriptions.get((await world.find(fine)).providerSubscriptionId!)!.changedAt,
  );
  world.provider.readSubscription = readSubscription;
  await world.pass(dayMs + hourMs);
  expect(await correctionCounts(db)).toEqual({ "account-failing": 1 });
  expect(await forPerson(db, world.clock.now())).toEqual([]);
});
