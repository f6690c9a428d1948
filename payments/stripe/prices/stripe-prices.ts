/**
 * Our catalogue's entries as Stripe prices. An operator who sells through Stripe creates one price per plan, and two more for the units of
 * a plan with custom quotas. A price's metadata (`slipway`: the entry) identifies it permanently; the lookup key only marks the price sold
 * today, and moves to a new price when there is one.
 */
import type Stripe from "stripe";
import { ProviderRefusal, type Purchase } from "../../payment-provider.ts";
import { minuteMs } from "#platform/clock.ts";

const executionsKey = (planId: string): string => `${planId}-executions`;
const workflowsKey = (planId: string): string => `${planId}-workflows`;

interface WantedItem {
  entry: string;
  quantity: number;
}

/** What is bought, as entries with quantities. */
export function wantedItems({ planId, extraExecutionUnits, extraWorkflowUnits }: Purchase): WantedItem[] {
  return [
    { entry: planId, quantity: 1 },
    { entry: executionsKey(planId), quantity: extraExecutionUnits },
    { entry: workflowsKey(planId), quantity: extraWorkflowUnits },
  ].filter(({ quantity }) => quantity > 0);
}

/** The entry that a price sells or once sold; null if it is not in our catalogue. */
export const entryOf = ({ metadata, lookup_key: lookupKey }: Pick<Stripe.Price, "metadata" | "lookup_key">): string | null =>
  metadata["slipway"] ?? lookupKey;

/** Which of a subscription's up to three items this is. */
export const kindOf = (entry: string): "executions" | "workflows" | "plan" =>
  entry.endsWith("-executions") ? "executions" : entry.endsWith("-workflows") ? "workflows" : "plan";

type Priced = { price: Pick<Stripe.Price, "metadata" | "lookup_key"> };

/**
 * The items that sell our catalogue. Staff may have added others to the same subscription, such as an add-on: those are theirs, and stay as
 * they are. A lookup key counts only where no price names its entry, or for the extra units of a plan that does.
 */
export function ownItems<Item extends Priced>(items: readonly Item[]): Item[] {
  const plans = items.flatMap(({ price }) => (price.metadata["slipway"] ? [price.metadata["slipway"]] : []));
  if (plans.length === 0) return items.filter(({ price }) => price.lookup_key !== null);
  const units = new Set(plans.flatMap((plan) => [executionsKey(plan), workflowsKey(plan)]));
  return items.filter(({ price }) => price.metadata["slipway"] || units.has(price.lookup_key ?? ""));
}

/** The item whose period is the subscription's. */
export const mainItem = <Item extends Priced>(items: readonly Item[]): Item | undefined => ownItems(items)[0] ?? items[0];

/** The reverse of `wantedItems`, whatever else is billed; null if a price is not in our catalogue, or there are several of one kind. */
export function purchaseOf(all: readonly (Priced & { quantity?: number | undefined })[]): Purchase | null {
  const items = ownItems(all);
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

interface SoldPrice {
  id: string;
  recurring: Stripe.Price.Recurring | null;
}

/** Prices rarely change, and an unknown one triggers a new lookup. */
const keepMs = 10 * minuteMs;

export type FindPrices = (entries: readonly string[]) => Promise<Map<string, SoldPrice>>;

/** Looks up the prices sold today. Refuses if Stripe has none, which an operator then has to create. */
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
