/** One customer's life at the sandbox, at Stripe and at Paddle: each behind its adapter, which reads that provider's objects. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dayMs, hourMs } from "#platform/clock.ts";
import { buy, look, subscribe } from "#testing/payments/provider-suite/provider-customer.ts";
import type { ProviderHarness } from "#testing/payments/provider-suite/provider-harness.ts";
import { createPaddleHarness } from "#testing/payments/paddle-harness.ts";
import { createSandboxHarness } from "#testing/payments/sandbox-harness.ts";
import { createStripeHarness } from "#testing/payments/stripe-harness.ts";
import { createTestClock } from "#testing/test-clock.ts";

const plan = fc.constantFrom("starter-monthly", "pro-1-monthly", "pro-1-yearly", "pro-2-monthly", "custom-monthly");
const units = fc.nat(9);
const deed = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("pass" as const), days: fc.oneof(fc.nat(6), fc.nat(45)) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      plan,
      units,
      billing: fc.constantFrom("now" as const, "next-period" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("cancel" as const, "undo" as const, "resume" as const) }) },
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

/** Days and seven hours: no command falls within the hour in which Stripe's renewals are drafts. */
const passMs = (days: number) => days * dayMs + 7 * hourMs;
const mostPasses = 6;

async function live(harness: ProviderHarness, first: string, deeds: readonly Deed[]): Promise<object[]> {
  const { provider } = harness;
  const { id, customerId } = await subscribe(harness, "visa", { purchase: buy(first) });
  const seen: object[] = [];
  let [passes, changedFor] = [0, 0];
  for (const each of deeds) {
    const before = await look(harness, id);
    const isRunning = before.status === "active" && before.cancelAt === null;
    if (each.do === "pass" && passes++ < mostPasses) await harness.advance(passMs(each.days));
    // At Stripe, what a change for the next period makes smaller is no longer credited if another change follows before.
    if (each.do === "change" && isRunning && changedFor !== before.periodEndsAt.getTime()) {
      const extra = each.plan === "custom-monthly" ? each.units : 0;
      const request = { subscriptionId: id, purchase: buy(each.plan, extra, extra), billing: each.billing };
      const { quotedAt, dueNow, creditAfter } = await provider.previewChange(request, null);
      await provider.change(request, { quotedAt, expectedDueNow: dueNow }, randomUUID());
      seen.push({ dueNow, creditAfter });
      if (each.billing === "next-period") changedFor = before.periodEndsAt.getTime();
    }
    if (each.do === "cancel" && isRunning) await provider.cancelAtPeriodEnd(id, randomUUID());
    if (each.do === "undo" && before.status === "active" && before.cancelAt) await provider.undoCancel(id, randomUUID());
    const { status, purchase, periodStartsAt, periodEndsAt, cancelAt, credit } = await look(harness, id);
    const invoices = (await provider.listInvoices(customerId)).filter(({ total }) => total.amount > 0);
    const sums = invoices.map(({ status: state, total, tax, creditUsed }) => ({ state, total, tax: tax?.amount, creditUsed }));
    // An ended subscription has no period any more at Paddle.
    seen.push(status === "deleted" ? { status, sums } : { status, purchase, periodStartsAt, periodEndsAt, cancelAt, credit, sums });
  }
  return seen;
}

const start = () => ({ clock: createTestClock(new Date("2026-01-31T10:00:00Z")) });

test("the same life costs the same in the same periods at the sandbox, at Stripe and at Paddle", { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(plan, fc.array(deed, { minLength: 4, maxLength: 10 }), async (first, deeds) => {
      await using sandbox = await createSandboxHarness(start());
      await using stripe = await createStripeHarness(start());
      await using paddle = await createPaddleHarness(start());
      const own = await live(sandbox, first, deeds);
      expect(await live(stripe, first, deeds)).toEqual(own);
      expect(await live(paddle, first, deeds)).toEqual(own);
    }),
    { numRuns: 8, seed: 20261129, endOnFailure: true },
  );
});
