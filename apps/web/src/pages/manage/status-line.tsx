import { Link } from "react-router";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { WorkspaceAddress } from "../../features/workspace/address.tsx";
import { WorkspaceProgress } from "../../features/workspace/card/workspace-progress.tsx";
import { OpenWorkspaceButton } from "../../features/workspace/open-workspace-button.tsx";
import { RestartButton } from "../../features/workspace/restart-button.tsx";
import { StateBadge } from "../../features/workspace/state/state-badge.tsx";
import { isOnline } from "../../features/workspace/state/workspace-status.ts";
import { t } from "../../features/workspace/words.ts";
import { paths } from "../../lib/paths.ts";
import { Card } from "../../ui/card.tsx";
import { Notice } from "../../ui/notices/notice.tsx";
import { said } from "../../words/sentences.ts";

/** How the workspace is, and the two actions that its settings lead to. */
export function StatusLine({ instance }: { instance: Instance }) {
  const { engine, runningVersion, versionName, status, reason, isBeingDeleted } = instance;
  return (
    <Card label={t("manage.status")} className="space-y-4 px-5 py-4 sm:px-6">
      {reason ? <Notice tone="warning" title={said(reason)} /> : null}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
          <StateBadge />
          <div className="min-w-0 text-sm">
            <WorkspaceAddress url={instance.address} />
            <Link to={paths.versions} className="link">{`${t(`workspace.engines.${engine}`)} ${runningVersion ?? versionName}`}</Link>
          </div>
        </div>
        {isBeingDeleted ? null : (
          <div className="flex flex-wrap gap-2 max-lg:w-full">
            <OpenWorkspaceButton tone="plain" disabled={!isOnline(instance)} className="max-sm:w-full" />
            {status === instanceStatus.stopped ? null : <RestartButton className="max-sm:w-full" />}
          </div>
        )}
      </div>
      {status === instanceStatus.pending ? <WorkspaceProgress instance={instance} /> : null}
    </Card>
  );
}
