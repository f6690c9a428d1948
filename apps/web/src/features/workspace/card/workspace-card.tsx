/** The workspace on the dashboard, as the table of states defines it. */
import type { ReactNode } from "react";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { latePart } from "../../../lib/first-view/late-part.tsx";
import { Card } from "../../../ui/card.tsx";
import type { PanelState } from "../state/panel-state.ts";
import { StateBadge } from "../state/state-badge.tsx";
import { useShownState, type ShownState } from "../state/use-shown-state.ts";
import { t } from "../words.ts";
import { WorkspaceAddress } from "../address.tsx";
import { CardActs } from "./act-button.tsx";
import { StateNotices } from "./state-notices.tsx";
import { WorkspaceProgress } from "./workspace-progress.tsx";

/** Fetched for the few whose workspace followed a deleted one. */
const FailedReturn = latePart(async () => (await import("./failed-return.tsx")).FailedReturn);

/** The workspace: its state, the reason, and what can be done. */
export function WorkspaceCard({ instance }: { instance: Instance }) {
  const state = useShownState();
  if (!state) return null;
  return (
    <Card label={t("workspace.title")} className="overflow-hidden">
      <div className="space-y-5 p-5 sm:p-6">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
          <div className="min-w-0">
            <p className="text-sm font-medium text-ink-soft [overflow-wrap:anywhere]">{new URL(instance.address).host.split(".")[0]}</p>
            <h2 className="mt-0.5 text-xl font-semibold tracking-tight sm:text-2xl">{t(`headlines.${state.headline}`)}</h2>
            {stateTexts(state).map((text) => (
              <p key={text} className="mt-1 max-w-prose text-sm text-ink-soft">
                {text}
              </p>
            ))}
          </div>
          <StateBadge />
        </div>
        <StateNotices state={state} />
        {instance.life > 1 ? <FailedReturn /> : null}
        {isUnderWay(state) ? <WorkspaceProgress instance={instance} /> : null}
        <CardActs state={state} />
      </div>
      <Facts instance={instance} />
    </Card>
  );
}

/** The sentences below a state's headline. */
function stateTexts({ row, workspace }: PanelState): string[] {
  if (row === "over-quota") return [t("workspace.overQuota")];
  if (row === "restoring" && workspace.kind !== "pending") return [t("workspace.restoringText")];
  const asleep = row === "asleep" ? [t("workspace.asleep.text")] : [];
  switch (workspace.kind) {
    case "none":
      return [];
    case "ready":
      return row === "asleep" ? asleep : [t("workspace.state.ready.text")];
    case "trial": {
      const { daysLeft } = workspace;
      return [daysLeft > 0 ? t("workspace.state.trial.left", { count: daysLeft }) : t("workspace.state.trial.over"), ...asleep];
    }
    case "expiring": {
      const { daysLeft } = workspace;
      if (daysLeft > 0) return [t("workspace.state.expiring.left", { count: daysLeft }), ...asleep];
      return row === "asleep" ? asleep : [t("workspace.state.expiring.text")];
    }
    case "deleting":
      return [t("workspace.state.deleting.text"), t("workspace.state.deleting.backup")];
    case "pending":
      return [
        workspace.cause && workspace.cause !== "waits-for-backup"
          ? t(`workspace.backFrom.${workspace.cause}`)
          : t("workspace.state.pending.text"),
      ];
    default:
      return [t(`workspace.state.${workspace.kind}.text`)];
  }
}

/** Being started or changed, and not stopped or deleted. */
const isUnderWay = ({ instance, workspace: { kind } }: ShownState): boolean =>
  instance?.status === instanceStatus.pending && (kind === "setting-up" || kind === "starting" || kind === "pending");

function Facts({ instance }: { instance: Instance }) {
  const version = instance.runningVersion
    ? t("workspace.versionChange", { from: instance.runningVersion, to: instance.versionName })
    : instance.versionName;
  return (
    <dl className="grid divide-line border-t border-line max-sm:divide-y sm:grid-cols-[auto_auto_1fr] sm:divide-x">
      <Fact name={t("workspace.engine")} value={`${t(`workspace.engines.${instance.engine}`)} ${version}`} />
      <Fact name={t("workspace.timezone")} value={instance.timezone} />
      <Fact name={t("workspace.address")} value={<WorkspaceAddress url={instance.address} />} />
    </dl>
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
