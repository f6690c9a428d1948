import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { MonitoringRange } from "#contract/workspaces/monitoring/monitoring.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { hasCode } from "../../lib/api/api-error.ts";

/** The previous figures stay until those of another period are loaded. There is a new sample each minute. */
export const monitoringQuery = (range: MonitoringRange) =>
  queryOptions({
    queryKey: ["workspace", "monitoring", range],
    queryFn: ({ signal }) => callApi("getInstanceMonitoring", { query: { range }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });

export type Monitored = Awaited<ReturnType<typeof callApi<"getInstanceMonitoring">>>;

/** The gateway's counts of the webhooks; null without a workspace. It saves them every 20 s. */
export const webhooksQuery = (range: MonitoringRange) =>
  queryOptions({
    queryKey: ["workspace", "webhooks", range],
    queryFn: async ({ signal }) => {
      try {
        return await callApi("getInstanceWebhooks", { query: { range }, signal });
      } catch (error) {
        if (hasCode(error, "workspace_not_found")) return null;
        throw error;
      }
    },
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

export type WebhooksSeen = Awaited<ReturnType<typeof callApi<"getInstanceWebhooks">>>;
