import { queryOptions, type QueryClient } from "@tanstack/react-query";
import type { UsedLimits } from "#contract/workspaces/monitoring/usage.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { hasCode } from "../../lib/api/api-error.ts";
import { serviceNowMs } from "../../lib/browser/use-now.ts";
import { knownUser } from "../../lib/session/session.ts";
import { workspaceQuery } from "../workspace/workspace-queries.ts";

/** This question makes the worker ask the workspace within seconds, so the next answer is fresh. */
const soonMs = 3000;
const askAgainMs = 15_000;
/** Older figures were counted before this page was opened. */
const freshMs = 20_000;
/** A workspace that is asleep or offline is not asked, so its figures stay old. */
const mostSoon = 5;

/**
 * Whether anything may have been counted. A workspace says so itself: until then, it is asked instead of the usage, whose 404 each browser
 * reports as an error. Of an account without one, only the usage can tell.
 */
async function mayBeCounted(client: QueryClient): Promise<boolean> {
  const known = client.getQueryData(workspaceQuery.queryKey) ?? knownUser()?.account.instance;
  if (!known || known.usedLimits) return true;
  return (await client.fetchQuery({ ...workspaceQuery, staleTime: 0 }))?.usedLimits != null;
}

/** How much of the plan is used; null while nothing has been counted yet, which the API answers with 404. */
export const usageQuery = queryOptions<UsedLimits | null>({
  queryKey: ["usage"],
  queryFn: async ({ client, signal }) => {
    if (!(await mayBeCounted(client))) return null;
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
