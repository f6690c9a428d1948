/**
 * Our catalogue's entries as Stripe's prices. Whoever sells by Stripe makes one price for each plan; a plan with quotas of the customer's
 * choice has two more, for the units. A price is known by its metadata (`slipway`: the entry), for good: the lookup key only says which price
 * is sold today, and a new price takes it away from the one before.
 */
import type Stripe from "stripe";
import { ProviderRefusal, type Purchase } from "../payment-provider.ts";
import { minuteMs } from "#platform/clock.ts";

export const executionsKey = (planId: string): string => `${planId}-executions`;
export const workflowsKey = (planId: string): string => `${planId}-workflows`;

export interface WantedItem {
  entry: string;
  quantity: number;
}

/** What is bought, as entries and how many of each. */
export function wantedItems({ planId, extraExecutionUnits, extraWorkflowUnits }: Purchase): WantedItem[] {
  return [
    { entry: planId, quantity: 1 },
    { entry: executionsKey(planId), quantity: extraExecutionUnits },
    { entry: workflowsKey(planId), quantity: extraWorkflowUnits },
  ].filter(({ quantity }) => quantity > 0);
}

/** The entry that a price sells or once sold; null where it is not of our catalogue. */
export const entryOf = ({ metadata, lookup_key: lookupKey }: Pick<Stripe.Price, "metadata" | "lookup_key">): string | null =>
  metadata["slipway"] ?? lookupKey;

/** Which of a subscription's up to three items it is. */
export const kindOf = (entry: string): "executions" | "workflows" | "plan" =>
  entry.endsWith("-executions") ? "executions" : entry.endsWith("-workflows") ? "workflows" : "plan";

/** The way back; null: one of the prices is not of our catalogue, or there is more than one of a kind. */
export function purchaseOf(
  items: readonly { price: Pick<Stripe.Price, "metadata" | "lookup_key">; quantity?: number | undefined }[],
): Purchase | null {
  const byEntry = new Map(items.map(({ price, quantity }) => [entryOf(price) ?? "", quantity ?? 1]));
  const planId = [...byEntry.keys()].find((entry) => entry !== "" && kindOf(entry) === "plan");
  if (planId === undefined || byEntry.size !== items.length) return null;
  const known = new Set([planId, executionsKey(planId), workflowsKey(planId)]);
  if ([...byEntry.keys()].some((entry) => !known.has(entry))) return null;
  return {
    planId,
    extraExecutionUnits: byEntry.get(executionsKey(planId)) ?? 0,
    extraWorkflowUnits: byEntry.get(workflowsKey(planId)) ?? 0,
  };
}

export const samePurchase = (one: Purchase | null, other: Purchase): boolean =>
  one?.planId === other.planId &&
  one.extraExecutionUnits === other.extraExecutionUnits &&
  one.extraWorkflowUnits === other.extraWorkflowUnits;

export interface SoldPrice {
  id: string;
  recurring: Stripe.Price.Recurring | null;
}

/** Prices change seldom, and an unknown one is asked for anew. */
const keepMs = 10 * minuteMs;

export type FindPrices = (entries: readonly string[]) => Promise<Map<string, SoldPrice>>;

/** Looks up which prices are sold today; refuses where Stripe has none, which an operator has to make. */
export function createPriceFinder(stripe: Stripe, nowMs: () => number): FindPrices {
  const kept = new Map<string, SoldPrice & { untilMs: number }>();
  return async (entries) => {
    const lookupKeys = entries.filter((entry) => (kept.get(entry)?.untilMs ?? 0) < nowMs());
    if (lookupKeys.length > 0) {
      const { data } = await stripe.prices.list({ lookup_keys: lookupKeys, active: true });
      for (const { id, lookup_key, recurring } of data)
        if (lookup_key !== null) kept.set(lookup_key, { id, recurring, untilMs: nowMs() + keepMs });
    }
    return new Map(
      entries.map((entry) => {
        const price = kept.get(entry);
        if (!price) throw new ProviderRefusal(`Stripe has no active price with the lookup key ${entry}.`);
        return [entry, price] as const;
      }),
    );
  };
}
