import { UserPlus } from "lucide-react";
import type { ReactNode } from "react";
import type { Instance } from "#contract/workspace.ts";
import { paths } from "../../lib/paths.ts";
import { useNow } from "../../lib/use-now.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import { t } from "../../words/words.ts";
import { launchPercent } from "./launch-steps.ts";
import { OpenWorkspaceButton } from "./open-workspace-button.tsx";
import { RestartButton } from "./restart-button.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { daysLeft } from "./trial.ts";
import { isOnline, statusName } from "./workspace-status.ts";

/** The workspace: how it is, where it is, and what can be done with it. */
export function WorkspaceCard({ instance }: { instance: Instance }) {
  const status = statusName(instance);
  const { host } = new URL(instance.url);
  return (
    <Card label={t("workspace.title")} className="overflow-hidden">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 p-5 sm:p-6">
        <div className="min-w-0">
          <h2 className="text-xl font-semibold [overflow-wrap:anywhere]">{host.split(".")[0]}</h2>
          <p className="mt-1 text-sm text-ink-soft">{t(`workspace.explain.${status}`)}</p>
        </div>
        <StatusBadge status={status} />
      </div>
      {instance.reason || instance.deletionAt ? <Warnings instance={instance} /> : null}
      {status === "pending" && instance.progress ? <Applying instance={instance} /> : null}
      <dl className="grid border-y border-line max-sm:divide-y sm:grid-cols-[auto_auto_1fr] sm:divide-x divide-line">
        <Fact name={t("workspace.engine")} value={`${t(`workspace.engines.${instance.engine}`)} ${instance.versionName}`} />
        <Fact name={t("workspace.timezone")} value={instance.timezone} />
        <Fact name={t("workspace.address")} value={<span className="font-mono text-[0.8125rem]">{host}</span>} />
      </dl>
      <div className="flex flex-wrap gap-2 p-5 sm:px-6">
        <OpenWorkspaceButton disabled={!isOnline(instance)} className="max-sm:w-full" />
        <ButtonLink to={paths.inviteTeammate} tone="plain" className="max-sm:w-full">
          <UserPlus className="size-4" aria-hidden="true" />
          {t("invitations.page")}
        </ButtonLink>
        <RestartButton className="max-sm:w-full" />
      </div>
    </Card>
  );
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div className="px-5 py-3.5 sm:px-6">
      <dt className="text-[0.8125rem] text-ink-soft">{name}</dt>
      <dd className="mt-0.5 font-medium [overflow-wrap:anywhere]">{value}</dd>
    </div>
  );
}

function Warnings({ instance }: { instance: Instance }) {
  const days = daysLeft(instance.deletionAt, useNow(60_000));
  return (
    <div className="space-y-2 px-5 pb-5 sm:px-6">
      {instance.reason ? <Notice tone="warning" title={instance.reason} /> : null}
      {days >= 0 ? <Notice tone="warning" title={t("workspace.deletion", { count: days })} /> : null}
    </div>
  );
}

function Applying({ instance }: { instance: Instance }) {
  const percent = launchPercent(instance);
  return (
    <div className="px-5 pb-5 sm:px-6">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-2 text-sm">
        <span>{instance.progress?.label}</span>
        <ButtonLink to={paths.launching} tone="quiet" className="-my-2 min-h-8">
          {t("workspace.watchLaunch")}
        </ButtonLink>
      </div>
      <ProgressBar value={percent} label={t("launching.progress")} text={t("launching.percent", { percent: percent ?? 0 })} />
    </div>
  );
}
