/** Keeps the workspace current: by the API's stream of events, and on SPEC's polling schedule while there is none. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import type { Instance } from "#contract/workspace.ts";
import { callUrl } from "../../lib/api-client.ts";
import { refreshUser } from "../../lib/session.ts";
import { runPolls, type PollOutcome } from "./polling-schedule.ts";
import { journalQuery, workspaceQuery } from "./workspace-queries.ts";
import { isOnline } from "./workspace-status.ts";

export type WatchTrouble = Extract<PollOutcome, "failed" | "timed-out">;

/** The workspace's query, kept current; `trouble` says why it may not be, and `watchAgain` starts over. */
export function useLiveWorkspace() {
  const queries = useQueryClient();
  const query = useQuery(workspaceQuery);
  const [trouble, setTrouble] = useState<WatchTrouble | null>(null);
  const [round, setRound] = useState(0);

  const accept = useCallback(
    (instance: Instance) => {
      const wasOnline = isOnline(queries.getQueryData(workspaceQuery.queryKey));
      queries.setQueryData(workspaceQuery.queryKey, instance);
      void queries.invalidateQueries({ queryKey: journalQuery.queryKey });
      // The trial starts with the launch: the plan's end is known from now on.
      if (isOnline(instance) && !wasOnline) void refreshUser().catch(() => {});
    },
    [queries],
  );
  const poll = useCallback(async () => isOnline(await queries.fetchQuery({ ...workspaceQuery, staleTime: 0, retry: false })), [queries]);

  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new round opens a new stream
  useEffect(() => watch({ accept, poll, onTrouble: setTrouble }), [accept, poll, round]);

  const watchAgain = () => {
    setTrouble(null);
    setRound((last) => last + 1);
  };
  return { ...query, trouble, watchAgain };
}

interface Watch {
  accept: (instance: Instance) => void;
  poll: () => Promise<boolean>;
  onTrouble: (trouble: WatchTrouble | null) => void;
}

/** Opens the stream; polls from its first failure until it speaks again. Answers with how to stop both. */
function watch({ accept, poll, onTrouble }: Watch): () => void {
  const stream = new EventSource(callUrl("instanceEvents"));
  let polling: AbortController | null = null;
  const stopPolling = () => {
    polling?.abort();
    polling = null;
    onTrouble(null);
  };
  const pollUntilSettled = async (signal: AbortSignal) => {
    const outcome = await runPolls({ poll, wait, signal });
    if (!signal.aborted && (outcome === "failed" || outcome === "timed-out")) onTrouble(outcome);
  };
  stream.addEventListener("open", stopPolling);
  stream.addEventListener("instance", (event: MessageEvent<string>) => {
    stopPolling();
    accept(JSON.parse(event.data) as Instance);
  });
  stream.addEventListener("error", () => {
    if (polling) return;
    const { signal } = (polling = new AbortController());
    void pollUntilSettled(signal);
  });
  return () => {
    polling?.abort();
    stream.close();
  };
}

const wait = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));
