/** What the developer bar reads from the sandbox and changes in it. */
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { loadFrontEndConfig } from "../../lib/front-end-config.ts";
import { queryClient } from "../../lib/api/query-client.ts";
import { knownUser, refreshUser } from "../../lib/session/session.ts";

export const sandboxQuery = queryOptions({
  queryKey: ["developer", "sandbox"],
  queryFn: ({ signal }) => callApi("getSandbox", { signal }),
  refetchInterval: 5_000,
});

/** Moves the clock, and reloads what the panel shows. */
export async function moveClock(advance: string): Promise<{ now: string; settled: boolean }> {
  const moved = await callApi("moveClock", { body: { advance } });
  await loadFrontEndConfig();
  // The page says what happened to the session, not this module.
  if (knownUser()) await refreshUser().catch(() => null);
  await queryClient.invalidateQueries();
  return moved;
}

export async function changeSandbox(body: {
  webhooks?: { delaySeconds?: number; duplicate?: boolean; reorder?: boolean; drop?: boolean };
  send?: "dropped" | "newest";
}): Promise<void> {
  queryClient.setQueryData(sandboxQuery.queryKey, await callApi("changeSandbox", { body }));
}
