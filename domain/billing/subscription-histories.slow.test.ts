import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AppError } from "#platform/app-error.ts";
import { dayMs, hourMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { liveSubscriptions } from "#testing/payments/memory-provider.ts";
import { createTestBilling, owner, type TestBilling } from "#testing/payments/test-billing.ts";
import { doWhatIsDue } from "./provider-truth/billing-loop.ts";
import { cancelScheduledChange } from "./purchases/change/cancel-scheduled-change.ts";
import { cancelSubscription } from "./purchases/cancel-subscription.ts";
import { completeCheckout } from "./purchases/checkout/complete-checkout.ts";
import { confirmChange } from "./purchases/change/confirm-change.ts";
import { receiveEvent } from "./provider-truth/provider-event-store.ts";
import { quoteChange } from "./purchases/change/quote-change.ts";
import { quoteResubscribe } from "./purchases/quote-resubscribe.ts";
import { resubscribe } from "./purchases/resubscribe.ts";
import { retryPayment } from "./purchases/retry-payment.ts";
import { startCheckout } from "./purchases/checkout/start-checkout.ts";
import { isRunning, stateOf } from "./subscription/subscription-states.ts";
import { syncSubscription } from "./provider-truth/sync-subscription.ts";
import type { ProviderEvent } from "#payments/payment-provider.ts";

let world: TestBilling;
beforeAll(async () => {
  world = await createTestBilling();
});
afterAll(() => world[Symbol.asyncDispose]());

const planIds = ["starter-monthly", "pro-1-monthly", "pro-1-yearly", "pro-2-monthly"] as const;
const plan = fc.constantFrom(...planIds);

/** What a customer, a bank, a network and a clock can do. `twice`: a double click. */
const deed = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("pass" as const),
      hours: fc.oneof(fc.integer({ min: 1, max: 72 }), fc.integer({ min: 72, max: 24 * 45 })),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("buy" as const), plan, pay: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      plan,
      twice: fc.boolean(),
      timing: fc.constantFrom("now" as const, "period-end" as const, undefined),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("cancel" as const, "take-back" as const, "retry" as const, "back" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("resubscribe" as const), twice: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("card" as const), pays: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("network" as const),
      trouble: fc.constantFrom("none" as const, "away" as const, "lost" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("events" as const), lose: fc.boolean(), twice: fc.boolean(), backwards: fc.boolean() }),
  },
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

interface History {
  accountId: string;
  /** Sent by the provider, not delivered yet. */
  waiting: ProviderEvent[];
  pages: string[];
}

/** A refusal to the customer is not a fault. */
async function attempt(act: () => Promise<unknown>): Promise<void> {
  await act().catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

async function act(history: History, step: Deed): Promise<void> {
  const { billing, provider, clock } = world;
  const { accountId } = history;
  const both = (twice: boolean, run: () => Promise<unknown>) => Promise.all([attempt(run), twice ? attempt(run) : null]);
  switch (step.do) {
    case "pass":
      for (let left = step.hours; left > 0; left -= 24) {
        clock.advance(Math.min(left, 24) * hourMs);
        provider.runDue();
        history.waiting.push(...provider.takeEvents());
        await doWhatIsDue(billing);
        await check(history);
      }
      return;
    case "buy":
      await attempt(async () => {
        const { url } = await startCheckout(billing, accountId, { planId: step.plan, quotas: null, currency: "USD" }, owner, newId());
        history.pages.push(url.split("/").at(-1)!);
      });
      if (step.pay && history.pages.length > 0) provider.pay(history.pages.pop()!);
      return;
    case "change": {
      const wanted = { planId: step.plan, quotas: null, timing: step.timing };
      const key = newId();
      await attempt(async () => {
        const { previewId } = await quoteChange(billing, accountId, wanted);
        await both(step.twice, () => confirmChange(billing, accountId, { ...wanted, previewId }, owner, key));
      });
      return;
    }
    case "cancel":
      return attempt(() => cancelSubscription(billing, accountId, { reason: null }, owner, newId()));
    case "take-back":
      return attempt(() => cancelScheduledChange(billing, accountId, owner, newId()));
    case "retry":
      return attempt(() => retryPayment(billing, accountId, owner, newId()));
    case "back":
      return attempt(() => completeCheckout(billing, accountId));
    case "resubscribe": {
      const key = newId();
      await attempt(async () => {
        const { previewId } = await quoteResubscribe(billing, accountId);
        await both(step.twice, () => resubscribe(billing, accountId, previewId, owner, key));
      });
      return;
    }
    case "card":
      provider.cardPays = step.pays;
      return;
    case "network":
      provider.trouble = step.trouble;
      return;
    case "events": {
      const events = [...history.waiting.splice(0), ...provider.takeEvents()];
      if (step.lose) events.splice(0, Math.ceil(events.length / 2));
      if (step.backwards) events.reverse();
      for (const event of step.twice ? [...events, ...events] : events) await receiveEvent(billing.db, "sandbox", event, clock.now());
      await doWhatIsDue(billing);
    }
  }
}

/**
 * HISTORIES=200 runs that many new ones, which takes some minutes. Without it the same few run, so that a failing
 * test means that the code changed.
 */
const asked = process.env["HISTORIES"];
const runs = Number(asked ?? 6);
const historiesTimeoutMs = 10 * 60_000 + runs * 60_000;

const trialMs = 14 * dayMs;

/** What must hold at every moment. */
async function check({ accountId }: History): Promise<void> {
  const row = await world.find(accountId);
  const state = stateOf(row);
  const now = world.clock.now();
  const paid = world.provider.charges.filter(
    ({ subscriptionId }) => world.provider.subscriptions.get(subscriptionId)?.accountId === accountId,
  );
  // Never active without a payment or a trial.
  if (state === "active" || state === "cancelling" || state === "past-due")
    expect(paid.some(({ subscriptionId }) => subscriptionId === row.providerSubscriptionId)).toBe(true);
  if (state === "trial") expect(now.getTime() - row.startedAt.getTime()).toBeLessThan(trialMs + dayMs);
  // Never charged twice for one thing.
  const charged = paid.map(({ subscriptionId, what }) => `${subscriptionId} ${what}`);
  expect(new Set(charged).size).toBe(charged.length);
  // The workspace matches the state.
  expect(await world.desiredState(accountId)).toBe(isRunning(state) ? "running" : state === "gone" ? "deleted" : "stopped");
  // Never deleted without its warnings.
  if (state === "gone") {
    const mails = (await world.mails(accountId)).map((mail) => mail.split(" ")[0]!);
    const deleted = mails.lastIndexOf("workspace-deleted");
    const end = mails.findLastIndex(
      (name, index) => index < deleted && ["trial-ended", "subscription-ended", "subscription-paused"].includes(name),
    );
    expect(end).toBeGreaterThanOrEqual(0);
    expect(mails.slice(end, deleted)).toContain("deletion-warning");
  }
}

/** In the end, with everything reachable, our records match the provider's. */
async function checkEnd({ accountId }: History): Promise<void> {
  const { provider, billing } = world;
  provider.trouble = "none";
  provider.runDue();
  for (let left = 3; left > 0; left--) {
    world.clock.advance(2 * hourMs);
    provider.runDue();
    await doWhatIsDue(billing);
    await syncSubscription(billing, accountId);
  }
  const row = await world.find(accountId);
  const live = liveSubscriptions(provider, accountId);
  expect(live.length).toBeLessThanOrEqual(1);
  if (live[0])
    expect(row).toMatchObject({
      providerSubscriptionId: live[0].id,
      status: live[0].status,
      planId: live[0].purchase!.planId,
      cancelAt: live[0].cancelAt,
      periodEndsAt: live[0].periodEndsAt,
    });
  else expect(["trial", "paused", "ended", "gone"]).toContain(stateOf(row));
}

test(
  "whatever customers, banks, networks and clocks do, in any order: no one is served unpaid, charged twice or deleted unwarned, and in the end our records match the provider's",
  { timeout: historiesTimeoutMs },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 20 }), async (deeds) => {
        Object.assign(world.provider, { cardPays: true, trouble: "none" });
        const history: History = { accountId: await world.addAccount(), waiting: [], pages: [] };
        for (const step of deeds) {
          await act(history, step);
          await check(history);
        }
        await checkEnd(history);
      }),
      { numRuns: runs, ...(asked ? {} : { seed: 20261121 }) },
    );
  },
);
