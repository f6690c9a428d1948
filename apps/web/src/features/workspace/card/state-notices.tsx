/** The notices that the table of states lists. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { latePart } from "../../../lib/first-view/late-part.tsx";
import { useMaybeUser } from "../../../lib/session/session.ts";
import { Notice } from "../../../ui/notices/notice.tsx";
import { dayOf } from "../../billing/dates.ts";
import { ArrangedNotice } from "../../billing/notices/arranged-notice.tsx";
import { ResubscribeButton } from "../../billing/resubscribe/resubscribe-button.tsx";
import { usageQuery } from "../../usage/usage-query.ts";
import type { NoticeName } from "../state/state-table.ts";
import type { ShownState } from "../state/use-shown-state.ts";
import { t } from "../words.ts";
import { said } from "../../../words/sentences.ts";

/** Every notice of this state, those about billing first. */
export const StateNotices = ({ state }: { state: ShownState }) =>
  state.notices.map((name) => {
    const Named = notices[name];
    return <Named key={name} state={state} />;
  });

type StateNotice = (props: { state: ShownState }) => ReactNode;

/** Fetched for the few whose workspace waits for its last backup. */
const WaitingReturn = latePart(async () => (await import("./failed-return.tsx")).WaitingReturn);

const Offline: StateNotice = ({ state: { instance, workspace } }) => {
  const cause = (workspace.kind === "offline" ? workspace.cause : null) ?? "other";
  return (
    <Notice tone="danger" title={instance?.reason ? said(instance.reason) : t("workspace.offlineTitle")}>
      {cause === "waits-for-backup" ? <WaitingReturn /> : t(`workspace.offlineBecause.${cause}.next`)}
    </Notice>
  );
};

const Reason: StateNotice = ({ state: { instance } }) =>
  instance?.reason ? <Notice tone="warning" title={said(instance.reason)} /> : null;

const daysOf = ({ workspace }: ShownState): number => ("daysLeft" in workspace ? workspace.daysLeft : -1);

/** Only a pause after failed payments has a day of deletion. */
const Paused: StateNotice = ({ state }) =>
  daysOf(state) >= 0 ? (
    <Notice tone="danger" title={t("workspace.state.paused.notice")}>
      {t("workspace.state.paused.deletion", { count: daysOf(state) })}
    </Notice>
  ) : (
    <Notice tone="warning" title={t("workspace.state.paused.requested")} />
  );

const Deletion: StateNotice = ({ state }) => (
  <Notice tone="danger" title={daysOf(state) > 0 ? t("workspace.deletion", { count: daysOf(state) }) : t("workspace.deletionToday")}>
    {t("workspace.state.scheduled-for-deletion.notice")}
  </Notice>
);

/** Fetched for the few who need it. */
const UsageNotice = latePart(async () => (await import("../../usage/usage-notice.tsx")).UsageNotice);

/** Why workflows do not run although the workspace does. */
const OverQuota: StateNotice = ({ state }) => {
  const { data: usage } = useQuery(usageQuery);
  return usage ? <UsageNotice usage={usage} tone={state.primary === "see-plans" ? "primary" : "plain"} /> : null;
};

const Ending: StateNotice = ({ state }) => {
  const account = useMaybeUser()?.account;
  const until = account?.billing?.cancelAt ?? account?.planSpec?.expirationDate;
  if (!until) return null;
  return (
    <Notice
      tone="warning"
      title={t("workspace.state.expiring.notice", { date: dayOf(until) })}
      action={<ResubscribeButton tone={state.primary === "resubscribe" ? "primary" : "plain"} />}
    >
      {t("workspace.state.expiring.noticeText")}
    </Notice>
  );
};

const ArrangedEnding: StateNotice = () => <ArrangedNotice cancelAt={useMaybeUser()?.account.billing?.cancelAt ?? null} />;

const notices: Record<NoticeName, StateNotice> = {
  offline: Offline,
  reason: Reason,
  paused: Paused,
  deletion: Deletion,
  "over-quota": OverQuota,
  ending: Ending,
  "arranged-ending": ArrangedEnding,
};
