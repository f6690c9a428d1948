import type { ReactNode } from "react";
import { instanceStatus, type Instance } from "#contract/workspaces/workspace.ts";
import { UpgradeLink } from "../../features/billing/upgrade/upgrade-link.tsx";
import { CommunityNodesSection } from "../../features/workspace-settings/community-nodes-section.tsx";
import { DangerZone } from "../../features/workspace-settings/danger-zone.tsx";
import { LogsSection } from "../../features/workspace-settings/logs-section.tsx";
import { MemorySection } from "../../features/workspace-settings/memory/memory-section.tsx";
import { UpdateSection } from "../../features/workspace-settings/update/update-section.tsx";
import { VariablesSection } from "../../features/workspace-settings/variables/variables-section.tsx";
import { SettingsForm } from "../../features/workspace-settings/form/settings-form.tsx";
import { JournalEntries } from "../../features/workspace/journal-list.tsx";
import { LiveWorkspace } from "../../features/workspace/watch/live-workspace.tsx";
import { OpenWorkspaceButton } from "../../features/workspace/open-workspace-button.tsx";
import { RestartButton } from "../../features/workspace/restart-button.tsx";
import { StateBadge } from "../../features/workspace/state/state-badge.tsx";
import { isOnline } from "../../features/workspace/state/workspace-status.ts";
import { WorkspaceProgress } from "../../features/workspace/card/workspace-progress.tsx";
import { useMaybeUser } from "../../lib/session/session.ts";
import { Card } from "../../ui/card.tsx";
import { Notice } from "../../ui/notices/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { t } from "../../features/workspace/words.ts";
import { t as settingText } from "../../features/workspace-settings/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("manage.page") };

/** The workspace's status and everything that can be changed about it. */
export function Component() {
  return (
    <div className="max-w-3xl">
      <h1 className="text-2xl font-semibold">{t("manage.title")}</h1>
      <p className="mt-1 mb-6 text-ink-soft">{t("manage.lead")}</p>
      <LiveWorkspace>{(instance) => <Workspace instance={instance} />}</LiveWorkspace>
    </div>
  );
}

function Workspace({ instance }: { instance: Instance }) {
  return (
    <div className="space-y-5">
      <Status instance={instance} />
      {instance.isBeingDeleted ? null : (
        <>
          <SettingsForm instance={instance} />
          <VariablesSection instance={instance} />
          <UpdateSection instance={instance} />
          <MemorySection />
          {instance.engine === "n8n" ? <CommunityNodesSection isOnline={isOnline(instance)} /> : null}
          <LogsSection />
        </>
      )}
      <Section title={settingText("settings.crashes.title")} lead={settingText("settings.crashes.lead")} flush>
        <JournalEntries
          kind="crashes"
          empty={settingText("settings.crashes.empty")}
          emptyText={settingText("settings.crashes.emptyText")}
        />
      </Section>
      {instance.isBeingDeleted ? null : <DangerZone life={instance.life} />}
    </div>
  );
}

function Status({ instance }: { instance: Instance }) {
  const user = useMaybeUser();
  return (
    <Card label={t("manage.settings")}>
      {instance.reason ? <Notice tone="warning" title={instance.reason} className="mx-5 mt-5 sm:mx-6" /> : null}
      <dl className="divide-y divide-line px-5 sm:px-6">
        <Row name={t("manage.status")}>
          <StateBadge instance={instance} />
        </Row>
        <Row name={t("workspace.address")}>
          <span className="font-mono text-[0.8125rem]">{new URL(instance.url).host}</span>
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
          <OpenWorkspaceButton disabled={!isOnline(instance)} className="max-sm:w-full" />
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
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
