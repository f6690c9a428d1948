import { useNow } from "../../../lib/browser/use-now.ts";
import { Notice } from "../../../ui/notices/notice.tsx";
import { t } from "../words.ts";
import { momentOf } from "../dates.ts";

const dayMs = 86_400_000;

/** A renewal comes near before which the provider takes no changes: said a day ahead, so that nobody finds out at the last minute. Null before that time. */
export function RenewalNotice({ closesAt, renewsAt }: { closesAt: string; renewsAt: string }) {
  const nowMs = useNow(60_000);
  if (nowMs < Date.parse(closesAt) - dayMs) return null;
  const isClosed = nowMs >= Date.parse(closesAt);
  return (
    <Notice tone="info" title={t("billing.renewal.title", { time: momentOf(renewsAt) })}>
      {isClosed ? t("billing.renewal.closed") : t("billing.renewal.open", { time: momentOf(closesAt) })}
    </Notice>
  );
}
