/** Keeps the workspace current: by the API's stream of events, and on SPEC's polling schedule while there is none. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import type { Instance } from "#contract/workspace.ts";
import { callUrl } from "../../lib/api-client.ts";
import { refreshUser } from "../../lib/session.ts";
import { useOnlineNotice } from "./online-notice.ts";
import { watchWorkspace, type WatchTrouble } from "./watch-workspace.ts";
import { journalKey, workspaceQuery } from "./workspace-queries.ts";
import { isOnline } from "./workspace-status.ts";

export type { WatchTrouble } from "./watch-workspace.ts";

/** The workspace's query, kept current; `trouble` says why it may not be, and `watchAgain` starts over. */
export function useLiveWorkspace() {
  const queries = useQueryClient();
  // The stream ends with what it tells of: that a workspace is gone is asked for.
  const query = useQuery({ ...workspaceQuery, refetchInterval: ({ state }) => (state.data?.isBeingDeleted ? 2_000 : false) });
  const [trouble, setTrouble] = useState<WatchTrouble | null>(null);
  const [round, setRound] = useState(0);

  const accept = useCallback(
    (instance: Instance) => {
      const wasOnline = isOnline(queries.getQueryData(workspaceQuery.queryKey));
      queries.setQueryData(workspaceQuery.queryKey, instance);
      void queries.invalidateQueries({ queryKey: journalKey });
      // The trial starts with the launch: the plan's end is known from now on.
      if (isOnline(instance) && !wasOnline) void refreshUser().catch(() => {});
    },
    [queries],
  );
  const poll = useCallback(async () => isOnline(await queries.fetchQuery({ ...workspaceQuery, staleTime: 0, retry: false })), [queries]);

  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new round opens a new stream
  useEffect(() => watchWorkspace({ openStream: () => new EventSource(callUrl("instanceEvents")), accept, poll, onTrouble: setTrouble }), [accept, poll, round]);
  useOnlineNotice(query.data);

  const watchAgain = () => {
    setTrouble(null);
    setRound((last) => last + 1);
  };
  return { ...query, trouble, watchAgain };
}
