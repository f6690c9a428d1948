import type { Subscription } from "#contract/billing/billing.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Notice } from "../../../ui/notices/notice.tsx";
import { t } from "../words.ts";
import { acceptUser } from "../billing-queries.ts";
import { dayOf } from "../dates.ts";
import { newIdempotencyKey } from "../checkout/new-idempotency-key.ts";

/** A change scheduled for the end of the period, and the way to undo it. */
export function ScheduledChangeNotice({ change }: { change: NonNullable<Subscription["scheduledChange"]> }) {
  const takeBack = useAction(async () => {
    // Undoing twice has the effect of undoing once, so the key need not outlive the press.
    const { user } = await callApi("cancelScheduledChange", { key: newIdempotencyKey() });
    acceptUser(user);
    notify("success", t("billing.scheduled.done"));
  });
  return (
    <div className="space-y-3">
      <Notice
        tone="info"
        title={t("billing.scheduled.title", { plan: change.planName, date: dayOf(change.at) })}
        action={
          <Button tone="plain" pending={takeBack.pending} pendingText={t("billing.scheduled.pending")} onClick={() => void takeBack.run()}>
            {t("billing.scheduled.action")}
          </Button>
        }
      >
        {t("billing.scheduled.text")}
      </Notice>
      {takeBack.error ? <ErrorNotice error={takeBack.error} title={t("billing.scheduled.failed")} /> : null}
    </div>
  );
}
