import { queryOptions } from "@tanstack/react-query";
import type { UsedLimits } from "#contract/usage.ts";
import { callApi } from "../../lib/api-client.ts";
import { ApiError } from "../../lib/api-error.ts";

/** What is used of the plan; null until something was counted (SPEC §7: a 404 is no failure). */
export const usedLimitsQuery = queryOptions({
  queryKey: ["workspace", "used-limits"],
  queryFn: async ({ signal }): Promise<UsedLimits | null> => {
    try {
      return await callApi("getUsedLimits", { signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  },
});
