/** The list of prices and quantities in purchases and changes, and the purchase it stands for. */
import type { Purchase } from "#payments/payment-provider.ts";
import { z } from "zod";
import { refused } from "./paddle-fault.ts";
import { keyOf } from "./paddle-objects.ts";

export const items = z.array(z.strictObject({ price_id: z.string(), quantity: z.number().int().min(1).max(10_000) })).min(1);

/** As at Paddle, the list is complete: items that are left out are removed. */
export function purchaseOf(list: z.output<typeof items>): Purchase {
  // Prices of other things of the seller's have no key of ours.
  const ours = list.filter(({ price_id: id }) => id.startsWith("pri_"));
  const byKey = new Map(ours.map(({ price_id: id, quantity }) => [keyOf(id), quantity]));
  const planId = [...byKey.keys()].find((key) => !/-(executions|workflows)$/.test(key));
  if (planId === undefined) throw refused("subscription_items_invalid", "There is no plan among the items");
  return { planId, extraExecutionUnits: byKey.get(`${planId}-executions`) ?? 0, extraWorkflowUnits: byKey.get(`${planId}-workflows`) ?? 0 };
}
