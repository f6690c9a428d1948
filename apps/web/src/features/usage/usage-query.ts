import { queryOptions } from "@tanstack/react-query";
import type { UsedLimits } from "#contract/workspaces/monitoring/usage.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { hasCode } from "../../lib/api/api-error.ts";
import { serviceNowMs } from "../../lib/browser/use-now.ts";

/** This question makes the worker ask the workspace within seconds, so the next answer is fresh. */
const soonMs = 3000;
const askAgainMs = 15_000;
/** Older figures were counted before this page was opened. */
const freshMs = 20_000;
/** A workspace that is asleep or offline is not asked, so its figures stay old. */
const mostSoon = 5;

/** How much of the plan is used; null while nothing has been counted yet, which the API answers with 404. */
export const usageQuery = queryOptions<UsedLimits | null>({
  queryKey: ["usage"],
  queryFn: async ({ signal }) => {
    try {
      return await callApi("getUsedLimits", { signal });
    } catch (error) {
      if (hasCode(error, "usage_unknown")) return null;
      throw error;
    }
  },
  refetchInterval: ({ state: { data, dataUpdateCount } }) =>
    data && dataUpdateCount <= mostSoon && serviceNowMs() - Date.parse(data.countedAt) > freshMs ? soonMs : askAgainMs,
});
