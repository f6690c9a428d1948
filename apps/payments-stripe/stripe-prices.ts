/**
 * Our catalogue's entries as Stripe's prices. Whoever sells by Stripe makes one price for each plan, with the plan's id as its
 * lookup key and an amount for each currency; a plan with quotas of the customer's choice has two more, for the units.
 */
import type Stripe from "stripe";
import type { Purchase } from "#domain/billing/payment-provider.ts";
import { ProviderRefusal } from "#domain/billing/payment-provider.ts";
import { minuteMs } from "#platform/clock.ts";

export const executionsKey = (planId: string): string => `${planId}-executions`;
export const workflowsKey = (planId: string): string => `${planId}-workflows`;

export interface WantedItem {
  lookupKey: string;
  quantity: number;
}

/** What is bought, as prices and how many of each. */
export function wantedItems({ planId, extraExecutionUnits, extraWorkflowUnits }: Purchase): WantedItem[] {
  return [
    { lookupKey: planId, quantity: 1 },
    { lookupKey: executionsKey(planId), quantity: extraExecutionUnits },
    { lookupKey: workflowsKey(planId), quantity: extraWorkflowUnits },
  ].filter(({ quantity }) => quantity > 0);
}

/** The way back; null: one of the prices is not of our catalogue. */
export function purchaseOf(items: readonly Stripe.SubscriptionItem[]): Purchase | null {
  const byKey = new Map(items.map(({ price, quantity }) => [price.lookup_key ?? "", quantity ?? 1]));
  const planId = [...byKey.keys()].find((key) => key !== "" && !key.endsWith("-executions") && !key.endsWith("-workflows"));
  if (planId === undefined) return null;
  const known = new Set([planId, executionsKey(planId), workflowsKey(planId)]);
  if ([...byKey.keys()].some((key) => !known.has(key))) return null;
  return { planId, extraExecutionUnits: byKey.get(executionsKey(planId)) ?? 0, extraWorkflowUnits: byKey.get(workflowsKey(planId)) ?? 0 };
}

/** Prices change seldom, and an unknown one is asked for anew. */
const keepMs = 10 * minuteMs;

export type FindPriceIds = (lookupKeys: readonly string[]) => Promise<Map<string, string>>;

/** Looks prices up by their keys; refuses where Stripe has none, which an operator has to make. */
export function createPriceFinder(stripe: Stripe, nowMs: () => number): FindPriceIds {
  const kept = new Map<string, { id: string; untilMs: number }>();
  return async (lookupKeys) => {
    const missing = lookupKeys.filter((key) => (kept.get(key)?.untilMs ?? 0) < nowMs());
    if (missing.length > 0) {
      const { data } = await stripe.prices.list({ lookup_keys: [...missing], active: true });
      for (const { id, lookup_key } of data) if (lookup_key !== null) kept.set(lookup_key, { id, untilMs: nowMs() + keepMs });
    }
    return new Map(
      lookupKeys.map((key) => {
        const price = kept.get(key);
        if (!price) throw new ProviderRefusal(`Stripe has no active price with the lookup key ${key}.`);
        return [key, price.id] as const;
      }),
    );
  };
}
