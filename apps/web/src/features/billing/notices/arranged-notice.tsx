import { arrangedNoticeDays } from "#contract/billing/plans/plan-days.ts";
import { useNow } from "../../../lib/browser/use-now.ts";
import { Notice } from "../../../ui/notices/notice.tsx";
import { t } from "../upgrade/words.ts";
import { RequestByMail } from "../../plans/request-by-mail.tsx";
import { daysLeft } from "../../workspace/state/trial.ts";
import { dayOf } from "../dates.ts";

/** A plan arranged by an operator ends soon, and only they can renew it. Null before that time. */
export function ArrangedNotice({ cancelAt }: { cancelAt: string | null }) {
  const nowMs = useNow(3_600_000);
  if (!cancelAt || daysLeft(cancelAt, nowMs) > arrangedNoticeDays) return null;
  return (
    <Notice
      tone="warning"
      title={t("upgrade.arranged.title", { date: dayOf(cancelAt) })}
      action={<RequestByMail subject={t("upgrade.arranged.subject")} label={t("upgrade.arranged.action")} />}
    >
      {t("upgrade.arranged.text")}
    </Notice>
  );
}
