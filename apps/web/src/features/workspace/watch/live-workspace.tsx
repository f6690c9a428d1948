import { lazy, Suspense, useState, type ReactNode } from "react";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { loadPage } from "../../../lib/faults/load-page.ts";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { t } from "../words.ts";
import { WorkspaceSkeleton } from "../card/workspace-skeleton.tsx";
import { useLiveWorkspace } from "./use-live-workspace.ts";
import { WatchTroubleNotice } from "./watch-trouble-notice.tsx";

/** Shown to accounts without a workspace. */
const NoWorkspace = lazy(() => loadPage(() => import("../card/no-workspace.tsx")));

/** The workspace as `children` shows it, kept current, and every state without a workspace to show. */
export function LiveWorkspace({ children }: { children: (instance: Instance) => ReactNode }) {
  const { data: instance, error, trouble, refetch, watchAgain } = useLiveWorkspace();
  // Kept if the workspace's own answer fails after the user's, because the user may have edited it by then.
  const [last, setLast] = useState(instance);
  if (instance !== undefined && instance !== last) setLast(instance);
  const askAgain = () => {
    watchAgain();
    void refetch();
  };
  return (
    // Gaps, not margins: Chromium applies the margin of a former last child one frame after the next section has arrived.
    <div className="flex flex-col gap-5">
      {instance ? (
        <WatchTroubleNotice trouble={trouble} error={error} onAskAgain={askAgain} />
      ) : error && instance === undefined ? (
        <ErrorNotice error={error} title={t("workspace.notLoaded")} onRetry={askAgain} />
      ) : null}
      {last ? (
        children(last)
      ) : last === null ? (
        <Suspense fallback={<WorkspaceSkeleton />}>
          <NoWorkspace />
        </Suspense>
      ) : error ? null : (
        <WorkspaceSkeleton />
      )}
    </div>
  );
}
