import type { ReactNode } from "react";
import type { User } from "#contract/accounts/account.ts";
import type { Subscription } from "#contract/billing/billing.ts";
import { paths } from "../../../lib/paths.ts";
import { useMaybeUser } from "../../../lib/session/session.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notices/notice.tsx";
import { t } from "../words.ts";
import { ArrangedNotice } from "./arranged-notice.tsx";
import { dayOf, momentOf } from "../dates.ts";
import { OtherCard } from "../card/other-card.tsx";
import { PastDueNotice } from "./past-due-notice.tsx";
import { ResubscribeButton } from "../resubscribe/resubscribe-button.tsx";
import { ScheduledChangeNotice } from "./scheduled-change-notice.tsx";
import { useNow } from "../../../lib/browser/use-now.ts";

/** Problems of a subscription and changes planned for it, with what to do; null if there are none. */
export function SubscriptionNotices({ subscription }: { subscription: Subscription }) {
  const notices = noticesOf(subscription);
  return notices.length > 0 ? <div className="space-y-4 empty:hidden">{notices}</div> : null;
}

function noticesOf(subscription: Subscription): ReactNode[] {
  const { status, cancelAt, changesCloseAt, isArranged, periodEndsAt, scheduledChange } = subscription;
  if (status === "past_due") return [<PastDueNotice key="past-due" subscription={subscription} />];
  if (status === "paused") return [<PausedNotice key="paused" subscription={subscription} />];
  if (status === "deleted") return [<EndedNotice key="ended" subscription={subscription} />];
  if (isArranged) return [<ArrangedNotice key="arranged" cancelAt={cancelAt} />];
  return [
    ...(cancelAt ? [<CancelledNotice key="cancelled" cancelAt={cancelAt} />] : []),
    ...(changesCloseAt && periodEndsAt && !cancelAt
      ? [<RenewalNotice key="renewal" closesAt={changesCloseAt} renewsAt={periodEndsAt} />]
      : []),
    ...(scheduledChange ? [<ScheduledChangeNotice key="scheduled" change={scheduledChange} />] : []),
  ];
}

function PausedNotice({ subscription: { pausedAt, deletionAt } }: { subscription: Subscription }) {
  return (
    <Notice
      tone={deletionAt ? "danger" : "warning"}
      title={t("billing.paused.title")}
      action={
        <>
          <ResubscribeButton />
          <OtherCard />
        </>
      }
    >
      <p>
        {/* Only a pause after failed payments leads to a deletion. */}
        {t(deletionAt ? "billing.paused.text" : "billing.paused.requested")}{" "}
        {pausedAt ? t("billing.paused.since", { date: dayOf(pausedAt) }) : null}
      </p>
      {deletionAt ? <p className="mt-1">{t("billing.paused.until", { date: dayOf(deletionAt) })}</p> : null}
    </Notice>
  );
}

function EndedNotice({ subscription: { deletionAt } }: { subscription: Subscription }) {
  const account = useMaybeUser()?.account;
  return (
    <Notice
      tone="warning"
      title={t("billing.ended.title")}
      action={
        <>
          <ResubscribeButton />
          <ButtonLink to={paths.changePlan} tone="plain">
            {t("billing.ended.other")}
          </ButtonLink>
        </>
      }
    >
      <p>{endedText(account)}</p>
      {deletionAt ? <p className="mt-1">{t("billing.ended.until", { date: dayOf(deletionAt) })}</p> : null}
    </Notice>
  );
}

/** What has become of the workspace, and what a payment brings back. */
function endedText(account: User["account"] | undefined): string {
  if (!account || (account.instance && !account.instance.isBeingDeleted)) return t("billing.ended.text");
  if (account.instance) return t("billing.ended.deleting");
  const { lastBackup } = account;
  return lastBackup
    ? t("billing.ended.restored", { made: dayOf(lastBackup.madeAt), until: dayOf(lastBackup.keptUntil) })
    : t("billing.ended.empty");
}

/** The subscription is canceled and ends with its period. */
function CancelledNotice({ cancelAt }: { cancelAt: string }) {
  return (
    <Notice tone="warning" title={t("billing.cancelled.title", { date: dayOf(cancelAt) })} action={<ResubscribeButton />}>
      {t("billing.cancelled.text")}
    </Notice>
  );
}

const dayMs = 86_400_000;

/** Shortly before a renewal the provider accepts no changes: announced a day ahead. Null before that. */
function RenewalNotice({ closesAt, renewsAt }: { closesAt: string; renewsAt: string }) {
  const nowMs = useNow(60_000);
  if (nowMs < Date.parse(closesAt) - dayMs) return null;
  const isClosed = nowMs >= Date.parse(closesAt);
  return (
    <Notice tone="info" title={t("billing.renewal.title", { time: momentOf(renewsAt) })}>
      {isClosed ? t("billing.renewal.closed") : t("billing.renewal.open", { time: momentOf(closesAt) })}
    </Notice>
  );
}
