/**
 * Our catalogue's entries as Paddle's prices. Paddle has no lookup keys: a price says whose it is by its custom data,
 * `{"slipway": "pro-1-monthly"}`, and the units of own quotas `{"slipway": "custom-monthly-executions"}`, `…-workflows`.
 */
import type { Paddle, Price, SubscriptionItem } from "@paddle/paddle-node-sdk";
import { ProviderRefusal, type Purchase } from "#domain/billing/payment-provider.ts";
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

export type FindItems = (purchase: Purchase) => Promise<{ priceId: string; quantity: number }[]>;

/** Reads all active prices at once, and again when one is missing or ten minutes have passed; refuses what Paddle does not sell. */
export function createItemFinder(paddle: Paddle, nowMs: () => number): FindItems {
  let ids = new Map<string, string>();
  let untilMs = 0;
  return async (purchase) => {
    const wanted = wantedKeys(purchase);
    if (nowMs() > untilMs || wanted.some(({ key }) => !ids.has(key))) {
      const found = new Map<string, string>();
      for await (const price of paddle.prices.list({ status: ["active"], perPage: pageSize })) if (keyOf(price)) found.set(keyOf(price), price.id);
      ids = found;
      untilMs = nowMs() + keepMs;
    }
    return wanted.map(({ key, quantity }) => {
      const priceId = ids.get(key);
      if (priceId === undefined) throw new ProviderRefusal(`Paddle has no active price whose custom data say {"slipway": "${key}"}.`);
      return { priceId, quantity };
    });
  };
}
