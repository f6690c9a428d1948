import type { ReactNode } from "react";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { Card } from "../../../ui/card.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Skeleton, SkeletonGroup } from "../../../ui/progress/skeleton.tsx";
import { t } from "../words.ts";
import { NoWorkspace } from "../card/no-workspace.tsx";
import { useLiveWorkspace } from "./use-live-workspace.ts";
import { WatchTroubleNotice } from "./watch-trouble-notice.tsx";

/** The workspace as `children` shows it, kept current; and every state in which there is none to show. */
export function LiveWorkspace({ children }: { children: (instance: Instance) => ReactNode }) {
  const { data: instance, error, trouble, refetch, watchAgain } = useLiveWorkspace();
  const askAgain = () => {
    watchAgain();
    void refetch();
  };
  return (
    <div className="space-y-5">
      {instance ? (
        <>
          <WatchTroubleNotice trouble={trouble} error={error} onAskAgain={askAgain} />
          {children(instance)}
        </>
      ) : instance === null ? (
        <NoWorkspace />
      ) : error ? (
        <ErrorNotice error={error} title={t("workspace.notLoaded")} onRetry={askAgain} />
      ) : (
        <WorkspaceSkeleton />
      )}
    </div>
  );
}

function WorkspaceSkeleton() {
  return (
    <Card>
      <SkeletonGroup label={t("common.loading")}>
        <div className="flex justify-between p-6">
          <div className="space-y-2.5">
            <Skeleton className="h-6 w-56" />
            <Skeleton className="h-4 w-40" />
          </div>
          <Skeleton className="h-7 w-20 rounded-full" />
        </div>
        <div className="grid gap-4 border-y border-line p-6 sm:grid-cols-3">
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
        </div>
        <div className="flex gap-2 p-6">
          <Skeleton className="h-10 w-40" />
          <Skeleton className="h-10 w-28" />
        </div>
      </SkeletonGroup>
    </Card>
  );
}
