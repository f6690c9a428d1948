/** The prices that an operator has created at Stripe, one per catalogue entry (runbook "take real payments"). */
import { readCatalogue, type CataloguePlan } from "#domain/plans/catalogue.ts";
import { newStripeId, type Price, type State } from "./stripe-state.ts";

type Plan = Pick<CataloguePlan, "id" | "name" | "billingPeriod" | "recurringPrice" | "customQuotas">;

/** From the built-in catalogue. */
export const cataloguePrices = (): Price[] => readCatalogue().plans.flatMap(planPrices);

/** One price for a plan on sale, and two more for the units of a plan with custom quotas. */
function planPrices({ id, name, billingPeriod: { unit, count }, recurringPrice, customQuotas }: Plan): Price[] {
  const recurring = { interval: unit === "yr" ? ("year" as const) : unit, count };
  const price = (entry: string, label: string, amounts: Readonly<Record<string, number>>): Price => ({
    id: newStripeId("price"),
    entry,
    label,
    lookupKey: entry,
    active: true,
    metadata: { slipway: entry },
    recurring,
    amounts,
  });
  if (Object.values(recurringPrice).every((amount) => amount === 0)) return [];
  const own = price(id, `${name}, ${unit === "yr" ? "yearly" : "monthly"}`, recurringPrice);
  if (!customQuotas) return [own];
  const { monthlyExecutions, activeWorkflows } = customQuotas;
  return [
    own,
    price(`${id}-executions`, `${monthlyExecutions.per.toLocaleString("en")} executions`, monthlyExecutions.price),
    price(`${id}-workflows`, "active workflows", activeWorkflows.price),
  ];
}

/** Prices for plans that a test has applied since, as the runbook has an operator create them. */
export async function addPrices(
  state: State,
  findPlan: (planId: string) => Promise<Plan | undefined>,
  entries: readonly string[],
): Promise<void> {
  for (const entry of entries) {
    if ([...state.prices.values()].some(({ lookupKey }) => lookupKey === entry)) continue;
    const plan = await findPlan(entry.replace(/-(executions|workflows)$/, ""));
    for (const price of plan ? planPrices(plan) : []) state.prices.set(price.id, price);
  }
}

/**
 * An operator raises a price. Stripe's price amounts cannot be changed, so the operator creates a new price and moves the lookup key to it;
 * the old one has none from then on (`transfer_lookup_key`, stripe 23.1.0 `PriceCreateParams`: "will remove the lookup
 * key from the existing price").
 */
export function raisePrice(state: State, entry: string, factor: number): void {
  const old = [...state.prices.values()].find(({ lookupKey }) => lookupKey === entry)!;
  old.lookupKey = null;
  const amounts = Object.fromEntries(Object.entries(old.amounts).map(([currency, amount]) => [currency, Math.round(amount * factor)]));
  const raised = { ...old, id: newStripeId("price"), lookupKey: entry, amounts };
  state.prices.set(raised.id, raised);
}
