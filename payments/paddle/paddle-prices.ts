/**
 * Our catalogue's entries as Paddle prices. Paddle has no lookup keys, so a price names its entry in its custom data:
 * `{"slipway": "pro-1-monthly"}`; units of custom quotas use `{"slipway": "custom-monthly-executions"}` and `…-workflows`.
 */
import type { Paddle, Price, SubscriptionItem } from "@paddle/paddle-node-sdk";
import { ProviderRefusal, type Purchase } from "../payment-provider.ts";
import { minuteMs } from "#platform/clock.ts";

const extra = /-(executions|workflows)$/;
const keepMs = 10 * minuteMs;
const pageSize = 200;

const keyOf = (price: Pick<Price, "customData">): string => {
  const key = (price.customData as Record<string, unknown> | null)?.["slipway"];
  return typeof key === "string" ? key : "";
};

/** What is bought, by key. Paddle expects the complete list and removes whatever is left out. */
function wantedKeys({ planId, extraExecutionUnits, extraWorkflowUnits }: Purchase): { key: string; quantity: number }[] {
  return [
    { key: planId, quantity: 1 },
    { key: `${planId}-executions`, quantity: extraExecutionUnits },
    { key: `${planId}-workflows`, quantity: extraWorkflowUnits },
  ].filter(({ quantity }) => quantity > 0);
}

/** The items that sell our catalogue. Others were added by staff. */
export const ownItems = (items: readonly SubscriptionItem[]): SubscriptionItem[] => items.filter(({ price }) => keyOf(price) !== "");

/** The items that staff added to the same subscription, as a change has to repeat them: Paddle removes what is left out. */
export const othersItems = (items: readonly SubscriptionItem[]): { priceId: string; quantity: number }[] =>
  items.filter(({ price, recurring }) => recurring && keyOf(price) === "").map(({ price, quantity }) => ({ priceId: price.id, quantity }));

/** The reverse of `wantedKeys`, whatever else is billed; null if there is no plan of our catalogue, or several. */
export function purchaseOf(all: readonly SubscriptionItem[]): Purchase | null {
  const items = ownItems(all);
  const byKey = new Map(items.map(({ price, quantity }) => [keyOf(price), quantity]));
  const planId = [...byKey.keys()].find((key) => key !== "" && !extra.test(key));
  if (planId === undefined || [...byKey.keys()].some((key) => key.replace(extra, "") !== planId)) return null;
  return { planId, extraExecutionUnits: byKey.get(`${planId}-executions`) ?? 0, extraWorkflowUnits: byKey.get(`${planId}-workflows`) ?? 0 };
}

/**
 * The prices of a purchase in a currency. `exact`: ignore prices in other currencies, which Paddle would convert at the day's rate, so the
 * sum would not be the catalogue's. A change to a running subscription is quoted by Paddle itself, so there a converted price is accepted.
 */
export type FindItems = (purchase: Purchase, currency: string, which?: "exact") => Promise<{ priceId: string; quantity: number }[]>;

/** Reads all active prices, and again when one is missing or after ten minutes. Refuses what Paddle does not sell. */
export function createItemFinder(paddle: Paddle, nowMs: () => number): FindItems {
  /** By key, then by the price's currency. */
  let ids = new Map<string, Map<string, string>>();
  let untilMs = 0;
  const read = async () => {
    const found: typeof ids = new Map();
    for await (const price of paddle.prices.list({ status: ["active"], perPage: pageSize })) {
      const key = keyOf(price);
      if (key) found.set(key, (found.get(key) ?? new Map<string, string>()).set(price.unitPrice.currencyCode, price.id));
    }
    ids = found;
    untilMs = nowMs() + keepMs;
  };
  return async (purchase, currency, which) => {
    const wanted = wantedKeys(purchase);
    if (nowMs() > untilMs || wanted.some(({ key }) => !ids.get(key)?.has(currency))) await read();
    return wanted.map(({ key, quantity }) => {
      const prices = ids.get(key);
      const priceId = prices?.get(currency) ?? (which === "exact" ? undefined : prices?.values().next().value);
      if (priceId === undefined)
        throw new ProviderRefusal(`Paddle has no active price in ${currency} with the custom data {"slipway": "${key}"}.`);
      return { priceId, quantity };
    });
  };
}
