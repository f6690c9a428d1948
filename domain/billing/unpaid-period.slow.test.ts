/** Quotas and running days against payments, when renewals fail and recover. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { dayMs, hourMs } from "#platform/clock.ts";
import { openTestBilling, owner, subscribe } from "#testing/payments/test-billing.ts";
import { again, owedDays, payments, watch, type Seen } from "#testing/payments/watch-running.ts";
import { retryPayment } from "./purchases/retry-payment.ts";
import { isRunning } from "./subscription/subscription-states.ts";

const step = fc.record({
  /** Whether the card pays at the renewal, and how long after it the customer acts. */
  pays: fc.boolean(),
  days: fc.integer({ min: 0, max: 12 }),
  acts: fc.constantFrom("mend and pay" as const, "pay" as const, "nothing" as const),
});

test("renewals that fail and recover in any order never give more quotas or days than were paid", async () => {
  const world = await openTestBilling();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 4 }), async (steps) => {
      world.provider.cardPays = true;
      const accountId = await subscribe(world, "pro-1-monthly");
      const { providerSubscriptionId: id } = await world.find(accountId);
      const seen: Seen = { quotas: new Set(), runningMs: 0 };
      for (const [index, { pays, days, acts }] of steps.entries()) {
        world.provider.cardPays = pays;
        const { periodEndsAt } = await world.find(accountId);
        const hours = (periodEndsAt!.getTime() - world.clock.now().getTime()) / hourMs;
        await world.pass(Math.max(0, hours - 1) * hourMs);
        seen.runningMs += isRunning(await world.state(accountId)) ? Math.max(0, hours - 1) * hourMs : 0;
        await watch(world, accountId, 1 + days * 24, seen);
        if (acts === "mend and pay") world.provider.cardPays = true;
        const key = `${accountId} ${index}`;
        const state = await world.state(accountId);
        if (acts !== "nothing" && state === "past-due") await retryPayment(world.billing, accountId, owner, key).catch(() => undefined);
        if (acts !== "nothing" && state === "paused") await again(world, accountId, key).catch(() => undefined);
        await watch(world, accountId, 1, seen);
        const { unpaidFrom, pausedAt } = await world.find(accountId);
        const owedMs = unpaidFrom ? (pausedAt ?? world.clock.now()).getTime() - unpaidFrom.getTime() : 0;
        expect(seen.quotas.size).toBeLessThanOrEqual(payments(world, id!));
        // What is owed is not lost: the next resumption or payment takes it.
        expect(owedMs / dayMs).toBeLessThanOrEqual(7.1);
        expect((seen.runningMs - owedMs) / dayMs).toBeLessThanOrEqual(31 * payments(world, id!) + owedDays(world, id!) + 0.1);
      }
      await world.provider.cancelNow(id!, `end ${accountId}`);
      await world.settle();
    }),
    { numRuns: 8, seed: 20261129 },
  );
});
