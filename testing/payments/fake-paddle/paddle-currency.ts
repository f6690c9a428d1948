/**
 * The currency in which Paddle charges: the override for the buyer's country; otherwise Paddle's conversion into that country's currency
 * if the seller has enabled it; otherwise the price's own (developer.paddle.com/build/products/offer-localized-pricing, read
 * 2026-11-22). A requested currency that is not the price's own is also converted at the day's rate.
 */
import type { FindPrice } from "#payments/ledger/items.ts";
import { currencyOf } from "./paddle-objects.ts";

/** The day's rates: one US dollar in each currency, deliberately different from any catalogue price. */
const rates: Readonly<Record<string, number>> = { USD: 1, EUR: 0.9031, GBP: 0.7713, PLN: 3.8617 };
const currencies: Readonly<Record<string, string>> = { DE: "EUR", GB: "GBP", PL: "PLN", US: "USD" };

/** Paddle's preferred currency for a buyer's country; undefined if it is not supported here. */
export const currencyIn = (country: string): string | undefined => currencies[country];

export const convert = (amount: number, from: string, to: string): number =>
  from === to ? amount : Math.round((amount * (rates[to] ?? 1)) / (rates[from] ?? 1));

/** What the prices with these ids cost in any requested currency: unchanged in their own, converted in others. */
export function pricesOf(findPrice: FindPrice, priceIds: readonly string[]): FindPrice {
  const own = currencyOf(priceIds[0] ?? "");
  const inAll = (amounts: Readonly<Record<string, number>>): Record<string, number> =>
    Object.fromEntries(Object.keys(rates).map((to) => [to, convert(amounts[own] ?? 0, own, to)]));
  return async (planId) => {
    const plan = await findPrice(planId);
    if (!plan) return undefined;
    const { customQuotas } = plan;
    return {
      ...plan,
      recurringPrice: inAll(plan.recurringPrice) as typeof plan.recurringPrice,
      customQuotas: customQuotas && {
        ...customQuotas,
        monthlyExecutions: {
          ...customQuotas.monthlyExecutions,
          price: inAll(customQuotas.monthlyExecutions.price) as typeof customQuotas.monthlyExecutions.price,
        },
        activeWorkflows: {
          ...customQuotas.activeWorkflows,
          price: inAll(customQuotas.activeWorkflows.price) as typeof customQuotas.activeWorkflows.price,
        },
      },
    };
  };
}
