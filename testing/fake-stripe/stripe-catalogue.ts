/** The prices that an operator has made at Stripe: one for each entry of the catalogue (runbook "take real payments"). */
import { readCatalogue } from "#domain/plans/catalogue.ts";
import { newStripeId, type Price, type State } from "./stripe-state.ts";

/** One price for each plan that is sold, and two more for the units of a plan with quotas of the customer's choice. */
export function cataloguePrices(): Price[] {
  return readCatalogue().plans.flatMap(({ id, name, billingPeriod: { unit, count }, recurringPrice, customQuotas }) => {
    const recurring = { interval: unit === "yr" ? ("year" as const) : unit, count };
    const price = (entry: string, label: string, amounts: Readonly<Record<string, number>>): Price => ({
      id: newStripeId("price"), entry, label, lookupKey: entry, active: true, metadata: { slipway: entry }, recurring, amounts,
    });
    const word = unit === "yr" ? "yearly" : "monthly";
    if (Object.values(recurringPrice).every((amount) => amount === 0)) return [];
    return [
      price(id, `${name}, ${word}`, recurringPrice),
      ...(customQuotas
        ? [
            price(`${id}-executions`, `${customQuotas.monthlyExecutions.per.toLocaleString("en")} executions`, customQuotas.monthlyExecutions.price),
            price(`${id}-workflows`, "active workflows", customQuotas.activeWorkflows.price),
          ]
        : []),
    ];
  });
}

/**
 * An operator raises a price. A price's amount cannot be changed at Stripe, so they make a new one and move the lookup key to it: the old
 * one has none from then on (`transfer_lookup_key`, stripe 23.1.0 `PriceCreateParams`: "will remove the lookup key from the existing price").
 */
export function raisePrice(state: State, entry: string, factor: number): void {
  const old = [...state.prices.values()].find(({ lookupKey }) => lookupKey === entry)!;
  old.lookupKey = null;
  const amounts = Object.fromEntries(Object.entries(old.amounts).map(([currency, amount]) => [currency, Math.round(amount * factor)]));
  const raised = { ...old, id: newStripeId("price"), lookupKey: entry, amounts };
  state.prices.set(raised.id, raised);
}
