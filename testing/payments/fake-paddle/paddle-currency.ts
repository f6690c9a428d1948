/**
 * In which currency Paddle charges: the override of the buyer's country, else its own conversion into the currency of that country
 * where the seller has it switched on, else the price as it is (developer.paddle.com/build/products/offer-localized-pricing, read
 * 2026-11-22). A currency asked for that is not the price's own is converted at the day's rate as well.
 */
import type { FindPrice } from "#payments/sandbox/sums/items.ts";
import { currencyOf } from "./paddle-objects.ts";

/** Of the day; a US dollar in each. Never what a catalogue says. */
const rates: Readonly<Record<string, number>> = { USD: 1, EUR: 0.9031, GBP: 0.7713, PLN: 3.8617 };
const currencies: Readonly<Record<string, string>> = { DE: "EUR", GB: "GBP", PL: "PLN", US: "USD" };

/** What Paddle prefers for a buyer there; undefined: none of the currencies here. */
export const currencyIn = (country: string): string | undefined => currencies[country];

export const convert = (amount: number, from: string, to: string): number =>
  from === to ? amount : Math.round((amount * (rates[to] ?? 1)) / (rates[from] ?? 1));

/** What the prices with these ids cost, in whatever currency somebody asks: in their own as they are, in others converted. */
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
