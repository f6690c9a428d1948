/**
 * Our catalogue's entries as Paddle's prices. Paddle has no lookup keys: a price says whose it is by its custom data,
 * `{"slipway": "pro-1-monthly"}`, and the units of own quotas `{"slipway": "custom-monthly-executions"}`, `…-workflows`.
 */
import type { Paddle, Price, SubscriptionItem } from "@paddle/paddle-node-sdk";
import { ProviderRefusal, type Purchase } from "../payment-provider.ts";
import { minuteMs } from "#platform/clock.ts";

const extra = /-(executions|workflows)$/;
const keepMs = 10 * minuteMs;
const pageSize = 200;

export const keyOf = (price: Pick<Price, "customData">): string => {
  const key = (price.customData as Record<string, unknown> | null)?.["slipway"];
  return typeof key === "string" ? key : "";
};

/** What is bought, by key; the whole list, as Paddle wants it: what is left out is taken away. */
export function wantedKeys({ planId, extraExecutionUnits, extraWorkflowUnits }: Purchase): { key: string; quantity: number }[] {
  return [
    { key: planId, quantity: 1 },
    { key: `${planId}-executions`, quantity: extraExecutionUnits },
    { key: `${planId}-workflows`, quantity: extraWorkflowUnits },
  ].filter(({ quantity }) => quantity > 0);
}

/** The way back; null: something is billed that is not of our catalogue. */
export function purchaseOf(items: readonly SubscriptionItem[]): Purchase | null {
  const byKey = new Map(items.map(({ price, quantity }) => [keyOf(price), quantity]));
  const planId = [...byKey.keys()].find((key) => key !== "" && !extra.test(key));
  if (planId === undefined || [...byKey.keys()].some((key) => key.replace(extra, "") !== planId)) return null;
  return { planId, extraExecutionUnits: byKey.get(`${planId}-executions`) ?? 0, extraWorkflowUnits: byKey.get(`${planId}-workflows`) ?? 0 };
}

/**
 * The prices of a purchase in a currency. `exact`: a price of another currency, which Paddle would convert at the rate of the day, is not
 * taken for it: nobody chose that sum. A change of what runs already is quoted by Paddle itself, so that such a price does.
 */
export type FindItems = (purchase: Purchase, currency: string, which?: "exact") => Promise<{ priceId: string; quantity: number }[]>;

/** Reads all active prices at once, and again when one is missing or ten minutes have passed; refuses what Paddle does not sell. */
export function createItemFinder(paddle: Paddle, nowMs: () => number): FindItems {
  /** By key, then by the currency of the price. */
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
        throw new ProviderRefusal(`Paddle has no active price in ${currency} whose custom data say {"slipway": "${key}"}.`);
      return { priceId, quantity };
    });
  };
}
