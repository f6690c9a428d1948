import { infiniteQueryOptions, queryOptions, useQuery } from "@tanstack/react-query";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { hasCode } from "../../lib/api/api-error.ts";
import { cached } from "../../lib/api/query-client.ts";
import { useMaybeUser, userOfTheLast } from "../../lib/session/session.ts";

/** As long as every answer counts as fresh (query-client.ts). */
const sameMomentMs = 5_000;

/**
 * The workspace; null if there is none: a 404 is an answer, not a failure. The answer about the user, which each first page waits for,
 * contains the workspace: it is shown until its own answer arrives. A missing workspace there proves nothing, because one may
 * have just been created.
 */
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
  placeholderData: () => userOfTheLast(sameMomentMs)?.account.instance ?? undefined,
});

/**
 * The workspace as last read. The user's answer contains one, too, but is older: since then it may have been started, put to sleep, or
 * deleted and launched again.
 */
export function useInstance(): Instance | null {
  const known = useMaybeUser()?.account.instance ?? null;
  const { data = known } = useQuery(workspaceQuery);
  return data;
}

/** The address of an account's workspace; null if there is none. */
export const workspaceUrlQuery = (username: string) =>
  queryOptions({
    queryKey: ["workspace-url", username],
    queryFn: async ({ signal }): Promise<string | null> => {
      try {
        return (await callApi("getWorkspaceUrl", { params: { username }, signal })).url;
      } catch (error) {
        if (hasCode(error, "workspace_not_found")) return null;
        throw error;
      }
    },
    ...cached,
  });

type JournalKind = "all" | "crashes";

/** What happened to the workspace, newest first, a page at a time; `crashes`: only unexpected stops. */
export const journalQuery = (kind: JournalKind) =>
  infiniteQueryOptions({
    queryKey: [...journalKey, kind],
    queryFn: ({ signal, pageParam }) =>
      callApi("getInstanceJournal", { query: { kind, ...(pageParam ? { before: pageParam } : {}) }, signal }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });

/** Every page of every kind of journal. */
export const journalKey = ["workspace", "journal"] as const;
