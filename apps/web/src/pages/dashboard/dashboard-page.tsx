import { Ship } from "lucide-react";
import { redirect } from "react-router";
import { SetupChecklist } from "../../features/sign-up/setup-checklist.tsx";
import { JournalList } from "../../features/workspace/journal-list.tsx";
import { PlanCard } from "../../features/workspace/plan-card.tsx";
import { useLiveWorkspace } from "../../features/workspace/use-live-workspace.ts";
import { WatchTroubleNotice } from "../../features/workspace/watch-trouble-notice.tsx";
import { WorkspaceCard } from "../../features/workspace/workspace-card.tsx";
import { paths } from "../../lib/paths.ts";
import { refreshUser, useMaybeUser } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { Skeleton, SkeletonGroup } from "../../ui/skeleton.tsx";
import { t } from "../../words/words.ts";

/** Billing, plan and progress change elsewhere: the dashboard always asks who this is. */
export const loader = async () => ((await refreshUser()) ? null : redirect(paths.home));

export function Component() {
  const user = useMaybeUser();
  // Signing out clears the user a moment before the login page is shown.
  if (!user) return null;
  return (
    <>
      <h1 className="mb-6 text-2xl font-semibold [overflow-wrap:anywhere]">{t("dashboard.greeting", { name: user.fullName })}</h1>
      {user.account.isSetup ? <Overview /> : <SetupChecklist user={user} />}
    </>
  );
}

function Overview() {
  const { data: instance, error, trouble, refetch, watchAgain } = useLiveWorkspace();
  const plan = useMaybeUser()?.account.planSpec;
  const askAgain = () => {
    watchAgain();
    void refetch();
  };
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_19rem]">
      <div className="space-y-5">
        {instance ? (
          <>
            <WatchTroubleNotice trouble={trouble} error={error} onAskAgain={askAgain} />
            <WorkspaceCard instance={instance} />
          </>
        ) : instance === null ? (
          <NoWorkspace onAskAgain={askAgain} />
        ) : error ? (
          <ErrorNotice
            error={error}
            title={t("workspace.notLoaded")}
            action={
              <Button tone="plain" onClick={askAgain}>
                {t("common.tryAgain")}
              </Button>
            }
          />
        ) : (
          <WorkspaceSkeleton />
        )}
        {instance ? <JournalList /> : null}
      </div>
      {plan ? <PlanCard plan={plan} /> : null}
    </div>
  );
}

function NoWorkspace({ onAskAgain }: { onAskAgain: () => void }) {
  return (
    <Card>
      <EmptyState
        icon={<Ship />}
        title={t("workspace.none")}
        action={
          <Button tone="plain" onClick={onAskAgain}>
            {t("common.tryAgain")}
          </Button>
        }
      >
        {t("workspace.noneText")}
      </EmptyState>
    </Card>
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
