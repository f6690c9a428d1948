import { queryOptions } from "@tanstack/react-query";
import type { Instance } from "#contract/workspace.ts";
import { callApi } from "../../lib/api-client.ts";
import { hasCode } from "../../lib/api-error.ts";

/** The workspace; null where there is none, because a 404 is a status and not a failure (SPEC §8). */
export const workspaceQuery = queryOptions({
  queryKey: ["workspace"],
  queryFn: async ({ signal }): Promise<Instance | null> => {
    try {
      return await callApi("getInstance", { signal });
    } catch (error) {
      if (hasCode(error, "workspace_not_found")) return null;
      throw error;
    }
  },
});

/** What happened to the workspace, newest first. */
export const journalQuery = queryOptions({
  queryKey: ["workspace", "journal"],
  queryFn: async ({ signal }) => (await callApi("getInstanceJournal", { signal })).entries,
});
