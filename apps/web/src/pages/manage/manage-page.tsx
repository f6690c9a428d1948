import type { ReactNode } from "react";
import type { Instance } from "#contract/workspace.ts";
import { LiveWorkspace } from "../../features/workspace/live-workspace.tsx";
import { OpenWorkspaceButton } from "../../features/workspace/open-workspace-button.tsx";
import { RestartButton } from "../../features/workspace/restart-button.tsx";
import { StatusBadge } from "../../features/workspace/status-badge.tsx";
import { isOnline, statusName } from "../../features/workspace/workspace-status.ts";
import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Notice } from "../../ui/notice.tsx";
import { t } from "../../words/words.ts";

export function Component() {
  return (
    <div className="max-w-3xl">
      <h1 className="text-2xl font-semibold">{t("manage.title")}</h1>
      <p className="mt-1 mb-6 text-ink-soft">{t("manage.lead")}</p>
      <LiveWorkspace>{(instance) => <Settings instance={instance} />}</LiveWorkspace>
    </div>
  );
}

function Settings({ instance }: { instance: Instance }) {
  const status = statusName(instance);
  return (
    <Card label={t("manage.settings")}>
      {instance.reason ? (
        <div className="px-5 pt-5 sm:px-6">
          <Notice tone="warning" title={instance.reason} />
        </div>
      ) : null}
      <dl className="divide-y divide-line px-5 sm:px-6">
        <Row name={t("manage.status")} note={t(`workspace.explain.${status}`)}>
          <StatusBadge status={status} />
        </Row>
        <Row name={t("workspace.address")}>
          <span className="font-mono text-[0.8125rem]">{new URL(instance.url).host}</span>
        </Row>
        <Row name={t("workspace.engine")}>{`${t(`workspace.engines.${instance.engine}`)} ${instance.versionName}`}</Row>
        <Row name={t("workspace.timezone")}>{instance.timezone}</Row>
        <Row name={t("manage.people")} note={t("manage.peopleText")}>
          <ButtonLink to={paths.inviteTeammate} tone="quiet" className="-my-2">
            {t("invitations.page")}
          </ButtonLink>
        </Row>
      </dl>
      <div className="flex flex-wrap gap-2 border-t border-line p-5 sm:px-6">
        <OpenWorkspaceButton disabled={!isOnline(instance)} className="max-sm:w-full" />
        <RestartButton className="max-sm:w-full" />
      </div>
    </Card>
  );
}

function Row({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3.5">
      <dt className="text-sm font-medium">{name}</dt>
      <dd className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm [overflow-wrap:anywhere]">
        {note ? <span className="text-ink-soft">{note}</span> : null}
        {children}
      </dd>
    </div>
  );
}
