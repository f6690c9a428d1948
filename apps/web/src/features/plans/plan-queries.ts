/** The price catalogue. */
import { queryOptions } from "@tanstack/react-query";
import type { Plan } from "#contract/billing/plans/plan.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { hasCode } from "../../lib/api/api-error.ts";
import { cached } from "../../lib/api/query-client.ts";

/** After this long the customer is told (docs/product.md). */
const plansTimeoutMs = 3_000;
/** It is then asked for again this often, until it comes: a purchase must not end at a slow moment. */
const plansRetryMs = 5_000;

/** The plans that can be chosen. An empty list counts as a failure; `failureReason` is the last one while it is asked for again. */
export const plansQuery = queryOptions({
  queryKey: ["plans"],
  queryFn: async ({ signal }): Promise<Plan[]> => {
    const { plans } = await callApi("listPlans", { signal: AbortSignal.any([signal, AbortSignal.timeout(plansTimeoutMs)]) });
    if (plans.length === 0) throw new Error("the list of plans is empty");
    return plans;
  },
  retry: true,
  retryDelay: plansRetryMs,
  ...cached,
});

/** One plan, even if it can no longer be chosen; null: no plan has that name. */
export const planQuery = (id: string) =>
  queryOptions({
    queryKey: ["plans", id],
    queryFn: async ({ signal }): Promise<Plan | null> => {
      try {
        return (await callApi("getPlan", { params: { id }, signal })).plan;
      } catch (error) {
        if (hasCode(error, "plan_not_found")) return null;
        throw error;
      }
    },
    ...cached,
  });
