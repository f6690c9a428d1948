/** The workspace on the dashboard: one look per workspace state, in one frame. */
import { useQuery } from "@tanstack/react-query";
import { ArrowRight, UserPlus } from "lucide-react";
import type { ReactNode } from "react";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { paths } from "../../../lib/paths.ts";
import { useNow } from "../../../lib/browser/use-now.ts";
import { useMaybeUser } from "../../../lib/session/session.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Notice } from "../../../ui/notices/notice.tsx";
import { t } from "../words.ts";
import { t as invitationText } from "../../invitations/words.ts";
import { isOverQuota } from "../../usage/forecast.ts";
import { UsageNotice } from "../../usage/usage-notice.tsx";
import { usageQuery } from "../../usage/usage-query.ts";
import { dayOf } from "../../billing/dates.ts";
import { ResubscribeButton } from "../../billing/resubscribe/resubscribe-button.tsx";
import { OpenWorkspaceButton } from "../open-workspace-button.tsx";
import { RestartButton } from "../restart-button.tsx";
import { StateBadge } from "../state/state-badge.tsx";
import { WorkspaceProgress } from "./workspace-progress.tsx";
import { runs, workspaceState, type WorkspaceState } from "../state/workspace-state.ts";

/** The states in which there is a workspace to show. */
export type ShownState = Exclude<WorkspaceState, { kind: "none" }>;
type ShownKind = ShownState["kind"];
type Look<Kind extends ShownKind> = (props: { state: Extract<ShownState, { kind: Kind }>; instance: Instance }) => ReactNode;

/** The workspace: how it is, why, and what can be done with it. */
export function WorkspaceCard({ instance }: { instance: Instance }) {
  const nowMs = useNow(60_000);
  const account = useMaybeUser()?.account;
  const state = account ? workspaceState({ ...account, instance }, nowMs) : null;
  if (!state || state.kind === "none") return null;
  const Shown = looks[state.kind] as Look<ShownKind>;
  return (
    <Card label={t("workspace.title")} className="overflow-hidden">
      <Shown state={state} instance={instance} />
      <Facts instance={instance} />
    </Card>
  );
}

interface FrameProps {
  state: ShownState;
  instance: Instance;
  /** In place of the state's own sentence. */
  text?: string;
  /** Notices and progress. */
  children?: ReactNode;
  actions?: ReactNode;
}

function Frame({ state, instance, text, children, actions }: FrameProps) {
  const isAsleep = instance.asleepSince !== undefined && runs(state);
  return (
    <div className="space-y-5 p-5 sm:p-6">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h2 className="text-xl font-semibold [overflow-wrap:anywhere]">{new URL(instance.url).host.split(".")[0]}</h2>
          {isAsleep && text === undefined ? null : (
            <p className="mt-1 max-w-prose text-sm text-ink-soft">{text ?? t(`workspace.state.${state.kind}.text`)}</p>
          )}
          {isAsleep ? <p className="mt-1 max-w-prose text-sm text-ink-soft">{t("workspace.asleep.text")}</p> : null}
        </div>
        <StateBadge instance={instance} />
      </div>
      {children}
      {runs(state) ? <OverQuota /> : null}
      {actions ? <div className="flex flex-wrap gap-2 max-sm:flex-col">{actions}</div> : null}
    </div>
  );
}

/** Why workflows do not run although the workspace does. */
function OverQuota() {
  const { data: usage } = useQuery(usageQuery);
  return usage && isOverQuota(usage) ? <UsageNotice usage={usage} /> : null;
}

const Reason = ({ instance: { reason } }: { instance: Instance }) => (reason ? <Notice tone="warning" title={reason} /> : null);

const open = (instance: Instance, isPossible = true) => (
  <OpenWorkspaceButton disabled={!isPossible || instance.status !== 1} className="max-sm:w-full" />
);
const invite = () => (
  <ButtonLink to={paths.inviteTeammate} tone="plain" className="max-sm:w-full">
    <UserPlus className="size-4" aria-hidden="true" />
    {invitationText("invitations.page")}
  </ButtonLink>
);
const restart = () => <RestartButton className="max-sm:w-full" />;
const link = (to: string, label: string, tone: "primary" | "plain" = "primary") => (
  <ButtonLink to={to} tone={tone} className="max-sm:w-full">
    {label}
    {tone === "primary" ? <ArrowRight className="size-4" aria-hidden="true" /> : null}
  </ButtonLink>
);

const SettingUp: Look<"setting-up"> = ({ state, instance }) => (
  <Frame state={state} instance={instance} actions={link(paths.launching, t("workspace.watchLaunch"))}>
    <WorkspaceProgress instance={instance} />
  </Frame>
);

const Starting: Look<"starting"> = ({ state, instance }) => (
  <Frame state={state} instance={instance} actions={link(paths.launching, t("workspace.watchLaunch"), "plain")}>
    <WorkspaceProgress instance={instance} />
  </Frame>
);

const Ready: Look<"ready"> = ({ state, instance }) => (
  <Frame state={state} instance={instance} actions={[open(instance), invite(), restart()].map(keyed)} />
);

const Trial: Look<"trial"> = ({ state, instance }) => (
  <Frame
    state={state}
    instance={instance}
    text={state.daysLeft > 0 ? t("workspace.state.trial.left", { count: state.daysLeft }) : t("workspace.state.trial.over")}
    actions={[open(instance), link(paths.changePlan, t("workspace.choosePlan"), "plain"), invite(), restart()].map(keyed)}
  />
);

const Expiring: Look<"expiring"> = ({ state, instance }) => (
  <Frame
    state={state}
    instance={instance}
    {...(state.daysLeft > 0 ? { text: t("workspace.state.expiring.left", { count: state.daysLeft }) } : {})}
    actions={[open(instance), invite(), restart()].map(keyed)}
  >
    {state.until ? (
      <Notice tone="warning" title={t("workspace.state.expiring.notice", { date: dayOf(state.until) })} action={<ResubscribeButton />}>
        {t("workspace.state.expiring.noticeText")}
      </Notice>
    ) : null}
  </Frame>
);

const Pending: Look<"pending"> = ({ state, instance }) => (
  <Frame state={state} instance={instance} {...(state.cause ? { text: t(`workspace.backFrom.${state.cause}`) } : {})}>
    <WorkspaceProgress instance={instance} />
  </Frame>
);

const Offline: Look<"offline"> = ({ state, instance }) => (
  <Frame state={state} instance={instance} actions={[restart(), link(paths.manage, t("workspace.lookAtLogs"), "plain")].map(keyed)}>
    <Notice tone="danger" title={instance.reason ?? t("workspace.offlineTitle")}>
      {t(`workspace.offlineBecause.${state.cause ?? "other"}.next`)}
    </Notice>
  </Frame>
);

const Stopped: Look<"stopped"> = ({ state, instance }) => (
  <Frame state={state} instance={instance} actions={link(paths.help, t("workspace.askHelp"), "plain")}>
    <Reason instance={instance} />
  </Frame>
);

const Paused: Look<"paused"> = ({ state, instance }) => (
  <Frame state={state} instance={instance} actions={link(paths.billing, t("workspace.resubscribe"))}>
    <Notice tone="danger" title={t("workspace.state.paused.notice")}>
      {state.daysLeft >= 0 ? t("workspace.state.paused.deletion", { count: state.daysLeft }) : null}
    </Notice>
  </Frame>
);

const Scheduled: Look<"scheduled-for-deletion"> = ({ state, instance }) => (
  <Frame
    state={state}
    instance={instance}
    actions={[link(paths.changePlan, t("workspace.choosePlan")), link(paths.export, t("workspace.takeAway"), "plain")].map(keyed)}
  >
    <Notice tone="danger" title={state.daysLeft > 0 ? t("workspace.deletion", { count: state.daysLeft }) : t("workspace.deletionToday")}>
      {t("workspace.state.scheduled-for-deletion.notice")}
    </Notice>
  </Frame>
);

const Deleting: Look<"deleting"> = ({ state, instance }) => <Frame state={state} instance={instance} />;

const looks: { [Kind in ShownKind]: Look<Kind> } = {
  "setting-up": SettingUp,
  starting: Starting,
  ready: Ready,
  trial: Trial,
  expiring: Expiring,
  pending: Pending,
  offline: Offline,
  stopped: Stopped,
  paused: Paused,
  "scheduled-for-deletion": Scheduled,
  deleting: Deleting,
};

/** Actions never change their order: their place is name enough. */
const keyed = (action: ReactNode, place: number) => (
  <div key={place} className="contents">
    {action}
  </div>
);

function Facts({ instance }: { instance: Instance }) {
  const { host } = new URL(instance.url);
  const version = instance.runningVersion
    ? t("workspace.versionChange", { from: instance.runningVersion, to: instance.versionName })
    : instance.versionName;
  return (
    <dl className="grid divide-line border-t border-line max-sm:divide-y sm:grid-cols-[auto_auto_1fr] sm:divide-x">
      <Fact name={t("workspace.engine")} value={`${t(`workspace.engines.${instance.engine}`)} ${version}`} />
      <Fact name={t("workspace.timezone")} value={instance.timezone} />
      <Fact name={t("workspace.address")} value={<span className="font-mono text-[0.8125rem]">{host}</span>} />
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
