/** Keeps the workspace current through the API's event stream, and by polling after each change until the stream works. */
import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { openEvents } from "../../../lib/api/api-client.ts";
import { knownUser, refreshUser } from "../../../lib/session/session.ts";
import { useIsPainted } from "../../../lib/first-view/first-paint.ts";
import { useStore } from "../../../lib/store.ts";
import { useOnlineNotice, watchAgain, workspaceChanges } from "../online-notice.ts";
import { watchWorkspace, type WatchTrouble } from "./watch-workspace.ts";
import { journalKey, workspaceQuery } from "../workspace-queries.ts";
import { isOnline } from "../state/workspace-status.ts";

export type { WatchTrouble } from "./watch-workspace.ts";

/** The workspace's query, kept current; `trouble` says why it may not be, and `watchAgain` starts over. */
export function useLiveWorkspace() {
  const queries = useQueryClient();
  // The stream ends with its workspace, so a deletion has to be polled.
  const query = useQuery({ ...workspaceQuery, refetchInterval: ({ state }) => (state.data?.isBeingDeleted ? 2_000 : false) });
  const isPainted = useIsPainted();
  const changes = useStore(workspaceChanges);
  // A new watch begins without the previous one's problem.
  const [told, setTold] = useState<{ changes: number; trouble: WatchTrouble | null }>({ changes, trouble: null });
  const trouble = told.changes === changes ? told.trouble : null;

  const accept = useCallback(
    (instance: Instance) => {
      const before = queries.getQueryData(workspaceQuery.queryKey);
      // An equal answer stays the same object. Each stream begins with one, beside a journal that was just read.
      const isNews = queries.setQueryData(workspaceQuery.queryKey, instance) !== before;
      if (isNews) readJournal(queries);
      else void queries.refetchQueries({ queryKey: journalKey, type: "active", stale: true });
      noteStatus(before, instance);
    },
    [queries],
  );
  const poll = useCallback(async () => {
    const before = queries.getQueryData(workspaceQuery.queryKey);
    const instance = await queries.fetchQuery({ ...workspaceQuery, staleTime: 0, retry: false });
    noteStatus(before, instance);
    return isOnline(instance);
  }, [queries]);

  // A change opens a new stream and starts a new run of polls.
  useEffect(
    () =>
      isPainted
        ? watchWorkspace({
            page: document,
            openStream: () => openEvents("instanceEvents"),
            accept,
            poll,
            onTrouble: (found) => setTold({ changes, trouble: found }),
          })
        : undefined,
    [isPainted, accept, poll, changes],
  );
  useOnlineNotice(query.data);
  return { ...query, trouble, watchAgain };
}

/** A launch reports its progress several times a second, and the journal has a few lines of it. */
const journalEveryMs = 3_000;
const journalDue = new WeakSet<QueryClient>();

/** Reads the journal after the changes of the next seconds, which it may be about. */
function readJournal(queries: QueryClient): void {
  if (journalDue.has(queries)) return;
  journalDue.add(queries);
  setTimeout(() => {
    journalDue.delete(queries);
    void queries.invalidateQueries({ queryKey: journalKey });
  }, journalEveryMs);
}

const readUser = () => void refreshUser().catch(() => {});

/**
 * The trial starts with the launch, so the plan's end is now known. A workspace that is stopped or to be deleted may be so for its plan:
 * banners and buttons depend on the user's state. `before` is undefined until the first answer: what the user's own answer
 * said then counts.
 */
function noteStatus(before: Instance | null | undefined, instance: Instance | null): void {
  const last = before === undefined ? knownUser()?.account.instance : before;
  if (instance?.status !== last?.status) readUser();
}
