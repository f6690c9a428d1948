/** One customer's life with money, against the port: what they, their bank, the network, the provider and the operator do, drawn by fast-check. */
import fc from "fast-check";
import { cancelScheduledChange } from "#domain/billing/purchases/change/cancel-scheduled-change.ts";
import { cancelSubscription } from "#domain/billing/purchases/cancel-subscription.ts";
import { completeCheckout } from "#domain/billing/purchases/checkout/complete-checkout.ts";
import { confirmChange } from "#domain/billing/purchases/change/confirm-change.ts";
import { ProviderUnreachable, type PaymentProvider } from "#payments/payment-provider.ts";
import { quoteChange } from "#domain/billing/purchases/change/quote-change.ts";
import { quoteResubscribe } from "#domain/billing/purchases/quote-resubscribe.ts";
import { resubscribe } from "#domain/billing/purchases/resubscribe.ts";
import { retryPayment } from "#domain/billing/purchases/retry-payment.ts";
import { startCheckout } from "#domain/billing/purchases/checkout/start-checkout.ts";
import { findSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { applyCatalogue, compareCatalogue } from "#domain/plans/apply-catalogue.ts";
import type { Catalogue } from "#domain/plans/catalogue.ts";
import { AppError } from "#platform/app-error.ts";
import { dayMs, hourMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { payAt, type TestShop } from "./test-shop.ts";
import { owner } from "./test-billing.ts";

/** `away`: nobody is reached, as with a 503, a 429 or silence before anything was done. `lost`: it is done, and the answer never comes. */
export type Fault = "none" | "away" | "lost";

export interface MoneyLife {
  shop: TestShop;
  /** The provider as it is, for looks that nothing disturbs. */
  raw: PaymentProvider;
  fault: { now: Fault };
  /** What is sold now; a raised price is a new plan in it. */
  catalogue: { now: Catalogue; raises: number };
  accountId: string;
  /** Pages that were opened and not paid. */
  pages: string[];
  /** Where a bank asks the customer to confirm. */
  banks: string[];
}

/** The provider behind a line that can fail in two ways. */
export function behind(provider: PaymentProvider, fault: { now: Fault }): PaymentProvider {
  return new Proxy(provider, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function" || name === "readWebhook") return member;
      return async (...items: unknown[]) => {
        if (fault.now === "away") throw new ProviderUnreachable("nobody answers");
        const answer: unknown = await (member as (...items: unknown[]) => unknown).apply(target, items);
        if (fault.now === "lost") throw new ProviderUnreachable("the answer was lost");
        return answer;
      };
    },
  });
}

const kind = fc.constantFrom("starter-monthly", "pro-1-monthly", "pro-1-yearly", "pro-2-monthly", "custom-monthly");
const units = fc.nat(40);
const card = fc.constantFrom(
  "visa" as const,
  "mastercard" as const,
  "confirm-first" as const,
  "confirm-always" as const,
  "renewal-soft" as const,
  "renewal-hard" as const,
);

export const moneyStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("pass" as const),
      days: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 5, max: 40 })),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("buy" as const), kind, units, card }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      kind,
      units,
      timing: fc.constantFrom("now" as const, "period-end" as const, undefined),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("card" as const), card }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("line" as const),
      fault: fc.constantFrom<Fault>("none", "away", "lost"),
      network: fc.constantFrom("good" as const, "doubled" as const, "reversed" as const, "lost" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom("cancel" as const, "take-back" as const, "resubscribe" as const, "retry" as const, "confirm" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("refund" as const, "dispute" as const, "raise" as const) }) },
);
export type MoneyStep = typeof moneyStep extends fc.Arbitrary<infer T> ? T : never;

/** What a customer is told "no" to is no fault; where their bank is to be asked is kept. */
async function attempt(life: MoneyLife, act: () => Promise<unknown>): Promise<void> {
  await act().catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    const url = error.code === "payment_action_required" ? /https?:\/\/\S+/.exec(error.details.detail ?? "")?.[0] : undefined;
    if (url) life.banks.push(url);
  });
}

/** The plan of this kind that is sold now. */
const newest = ({ catalogue: { now } }: MoneyLife, base: string): string =>
  now.plans.findLast(({ id }) => id === base || id.startsWith(`${base}-r`))!.id;

function wantedOf(life: MoneyLife, base: string, extra: number) {
  const planId = newest(life, base);
  const { customQuotas } = life.catalogue.now.plans.find(({ id }) => id === planId)!;
  const quotas = customQuotas
    ? {
        monthlyExecutions: customQuotas.monthlyExecutions.included + extra * customQuotas.monthlyExecutions.per,
        activeWorkflows: customQuotas.activeWorkflows.included + extra * customQuotas.activeWorkflows.per,
      }
    : null;
  return { planId, quotas };
}

/** Does a step; `look` is called after each three days that pass. */
export async function live(life: MoneyLife, step: MoneyStep, look: () => Promise<void>): Promise<void> {
  const { shop, accountId, fault } = life;
  const { billing } = shop.api.services;
  switch (step.do) {
    case "pass":
      for (let left = step.days; left > 0; left -= 3) {
        await shop.pass(Math.min(left, 3) * dayMs);
        await look();
      }
      return;
    case "buy":
      await attempt(life, async () =>
        life.pages.push(
          (await startCheckout(billing, accountId, { ...wantedOf(life, step.kind, step.units), currency: "USD" }, owner, newId())).url,
        ),
      );
      if (
        life.pages.length > 0 &&
        fault.now === "none" &&
        (await payAt(shop, life.pages.at(-1)!, step.card).catch(() => "declined")) === "paid"
      )
        life.pages.pop();
      return attempt(life, () => completeCheckout(billing, accountId));
    case "change":
      return attempt(life, async () => {
        const wanted = { ...wantedOf(life, step.kind, step.units), timing: step.timing };
        const { previewId } = await quoteChange(billing, accountId, wanted);
        const key = newId();
        await Promise.allSettled(
          [0, 1].map(() => attempt(life, () => confirmChange(billing, accountId, { ...wanted, previewId }, owner, key))),
        );
      });
    case "card": {
      const held = await findSubscription(shop.api.database.db, accountId);
      if (!held?.providerSubscriptionId || held.status === "deleted") return;
      await shop.harness.enterCard(
        await life.raw.changeCardUrl(held.providerSubscriptionId, "https://panel.example/manage/billing"),
        step.card,
      );
      return;
    }
    case "line":
      Object.assign(fault, { now: step.fault });
      shop.network = step.network;
      return;
    case "cancel":
      return attempt(life, () => cancelSubscription(billing, accountId, { reason: null }, owner, newId()));
    case "take-back":
      return attempt(life, () => cancelScheduledChange(billing, accountId, owner, newId()));
    case "resubscribe":
      return attempt(life, async () => {
        const { previewId } = await quoteResubscribe(billing, accountId);
        const { url } = await resubscribe(billing, accountId, previewId, owner, newId());
        if (url) life.pages.push(url);
      });
    case "retry":
      return attempt(life, () => retryPayment(billing, accountId, owner, newId()));
    case "confirm": {
      const url = life.banks.pop();
      if (url) await shop.harness.confirm(url).catch(() => undefined);
      return;
    }
    case "refund":
    case "dispute": {
      const held = await findSubscription(shop.api.database.db, accountId);
      if (!held?.providerCustomerId) return;
      const take = step.do === "refund" ? shop.harness.refundNewest : shop.harness.disputeNewest;
      // There may be nothing to give back.
      await take(held.providerCustomerId).catch(() => undefined);
      return;
    }
    case "raise":
      return raise(life);
  }
}

/** As docs/runbooks/raise-a-price.md says: every plan at a higher price, beside the old one that nobody else can choose any more. */
async function raise(life: MoneyLife): Promise<void> {
  const { database, clock } = life.shop.api;
  const raises = (life.catalogue.raises += 1);
  const plans = life.catalogue.now.plans.map((plan) => {
    if (plan.billingType === "one-time" || (plan.recurringPrice["USD"] ?? 0) === 0) return plan;
    const id = `${plan.id.replace(/-r\d+$/, "")}-r${raises}`;
    return {
      ...plan,
      id,
      recurringPrice: Object.fromEntries(Object.entries(plan.recurringPrice).map(([currency, amount]) => [currency, amount + 700])),
    };
  });
  const next = { ...life.catalogue.now, plans };
  const broken = await applyCatalogue(database.db, next, await compareCatalogue(database.db, next), {
    operator: "grace",
    now: clock.now(),
  });
  if (broken.length > 0) throw new Error(`raising prices broke promises: ${broken.join("; ")}`);
  life.catalogue.now = next;
}

/** After the life: lines are mended, and everything that is under way arrives. */
export async function settle(life: MoneyLife, look: () => Promise<void>): Promise<void> {
  life.fault.now = "none";
  life.shop.network = "good";
  await life.shop.catchUp();
  for (let left = 9; left > 0; left -= 1) await life.shop.pass(dayMs);
  await life.shop.pass(2 * hourMs);
  await look();
}
