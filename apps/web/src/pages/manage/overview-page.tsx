import type { ReactNode } from "react";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { UpgradeLink } from "../../features/billing/upgrade/upgrade-link.tsx";
import { OverviewTiles } from "../../features/manage/overview-tiles.tsx";
import { Place } from "../../ui/place.tsx";
import { t as manageText } from "../../features/manage/words.ts";
import { WorkspaceAddress } from "../../features/workspace/address.tsx";
import { LiveWorkspace } from "../../features/workspace/watch/live-workspace.tsx";
import { JournalList } from "../../features/workspace/journal/journal-list.tsx";
import { OpenWorkspaceButton } from "../../features/workspace/open-workspace-button.tsx";
import { RestartButton } from "../../features/workspace/restart-button.tsx";
import { StateBadge } from "../../features/workspace/state/state-badge.tsx";
import { useShownState } from "../../features/workspace/state/use-shown-state.ts";
import { isOnline } from "../../features/workspace/state/workspace-status.ts";
import { WorkspaceProgress } from "../../features/workspace/card/workspace-progress.tsx";
import { useMaybeUser } from "../../lib/session/session.ts";
import { Card } from "../../ui/card.tsx";
import { Notice } from "../../ui/notices/notice.tsx";
import { t } from "../../features/workspace/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { said } from "../../words/sentences.ts";

export const handle: PageHandle = { title: () => manageText("places.nav.label") };

/** The workspace's status, a line for each other place, and recent events. */
export function Component() {
  return (
    <Place title={manageText("places.overview.title")} lead={manageText("places.overview.lead")}>
      <LiveWorkspace>
        {(instance) => (
          <>
            <Status instance={instance} />
            {instance.isBeingDeleted ? null : <OverviewTiles instance={instance} />}
            <JournalList />
          </>
        )}
      </LiveWorkspace>
    </Place>
  );
}

function Status({ instance }: { instance: Instance }) {
  const user = useMaybeUser();
  const isPrimary = useShownState()?.primary === "open";
  return (
    <Card label={t("manage.settings")}>
      {instance.reason ? <Notice tone="warning" title={said(instance.reason)} className="mx-5 mt-5 sm:mx-6" /> : null}
      <dl className="divide-y divide-line px-5 sm:px-6">
        <Row name={t("manage.status")}>
          <StateBadge />
        </Row>
        <Row name={t("workspace.address")}>
          <WorkspaceAddress url={instance.address} className="-mr-2" />
        </Row>
        <Row
          name={t("workspace.engine")}
        >{`${t(`workspace.engines.${instance.engine}`)} ${instance.runningVersion ?? instance.versionName}`}</Row>
        <Row name={t("workspace.timezone")}>{instance.timezone}</Row>
      </dl>
      {instance.status === instanceStatus.pending ? (
        <div className="border-t border-line px-5 py-4 sm:px-6">
          <WorkspaceProgress instance={instance} />
        </div>
      ) : null}
      {instance.isBeingDeleted ? null : (
        <div className="flex flex-wrap gap-2 border-t border-line p-5 sm:px-6">
          <OpenWorkspaceButton tone={isPrimary ? "primary" : "plain"} disabled={!isOnline(instance)} className="max-sm:w-full" />
          {instance.status === instanceStatus.stopped ? null : <RestartButton className="max-sm:w-full" />}
          {user?.account.planSpec ? <UpgradeLink user={user} plan={user.account.planSpec} tone="plain" className="max-sm:w-full" /> : null}
        </div>
      )}
    </Card>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3.5 text-sm">
      <dt className="font-medium">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
