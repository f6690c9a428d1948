/** A renewal that fails, and what its days and its quota cost in the end. */
import { expect, test } from "vitest";
import { planForWorkspace } from "#domain/plans/plan-for-workspace.ts";
import { addMonths } from "#platform/calendar.ts";
import { dayMs } from "#platform/clock.ts";
import { openTestBilling, owner, subscribe } from "#testing/payments/test-billing.ts";
import { again, owedDays, payments, watch, type Seen } from "#testing/payments/watch-running.ts";
import { retryPayment } from "./purchases/retry-payment.ts";

test("a card that fails at the renewal and pays a resumption gets as many quotas and days as it paid for", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-1-monthly");
  const { providerSubscriptionId: id, startedAt } = await world.find(accountId);
  const seen: Seen = { quotas: new Set(), runningMs: 0 };
  await watch(world, accountId, 30 * 24, seen);
  world.provider.cardPays = false;
  await watch(world, accountId, 10 * 24, seen);
  expect(await world.state(accountId)).toBe("paused");
  expect([...seen.quotas]).toEqual([startedAt.getTime()]);
  world.provider.cardPays = true;
  const paidFrom = world.clock.now();
  await again(world, accountId, "resume");
  expect(payments(world, id!)).toBe(2);
  // Seven days were used before the pause.
  const { periodEndsAt, unpaidFrom } = await world.find(accountId);
  expect(periodEndsAt).toEqual(addMonths(paidFrom, 1));
  expect(owedDays(world, id!)).toBe(7);
  expect(unpaidFrom).toBeNull();
});

test("while a payment is open the paid quota continues, and the payment begins the next one where the unpaid period began", async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world, "pro-1-monthly");
  const { periodEndsAt, startedAt } = await world.find(accountId);
  world.provider.cardPays = false;
  await world.pass(34 * dayMs);
  expect(await world.state(accountId)).toBe("past-due");
  const open = (await planForWorkspace(world.database.db, accountId, world.clock.now()))!;
  expect(open.periodStarts).toEqual([startedAt]);
  expect(open.periodEndsAt).toBeNull();
  world.provider.cardPays = true;
  await retryPayment(world.billing, accountId, owner, "pay");
  const paid = (await planForWorkspace(world.database.db, accountId, world.clock.now()))!;
  expect(paid.periodStarts[0]).toEqual(periodEndsAt);
});
