import { Notice } from "../../../ui/notices/notice.tsx";
import { t } from "../words.ts";
import { dayOf } from "../dates.ts";
import { ResubscribeButton } from "../resubscribe/resubscribe-button.tsx";

/** The subscription is canceled and ends with its period. */
export function CancelledNotice({ cancelAt, deletionAt }: { cancelAt: string; deletionAt: string | null }) {
  return (
    <Notice tone="warning" title={t("billing.cancelled.title", { date: dayOf(cancelAt) })} action={<ResubscribeButton />}>
      <p>{t("billing.cancelled.text")}</p>
      {deletionAt ? <p className="mt-1">{t("billing.cancelled.deletion", { date: dayOf(deletionAt) })}</p> : null}
    </Notice>
  );
}
