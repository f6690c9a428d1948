import { CircleCheck } from "lucide-react";
import { useEffect, useRef } from "react";
import type { ChangePreview } from "#contract/billing/billing.ts";
import { dayOf } from "../../../features/billing/dates.ts";
import { useBillingWait } from "../../../features/billing/checkout/use-billing-wait.ts";
import { paths } from "../../../lib/paths.ts";
import { useMaybeUser } from "../../../lib/session/session.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { t } from "../../../features/billing/words.ts";

/** Says that the change is made or scheduled; waits for the provider's confirmation if that is late. */
export function ChangeDone({ preview, planBefore }: { preview: ChangePreview; planBefore: string }) {
  const { timing, planId, planName, dueNow, effectiveAt, restarts } = preview;
  const isNow = timing === "now";
  const isConfirmed = useConfirmed(planId, isNow);
  return (
    <Card label={t("plans.done.page")} className="p-6 sm:p-8">
      <div role="status">
        <CircleCheck className="size-10 text-success" aria-hidden="true" />
        <h1 className="mt-4 text-2xl font-semibold">
          {isNow ? t("plans.done.title", { plan: planName }) : t("plans.done.scheduledTitle", { date: dayOf(effectiveAt) })}
        </h1>
        <p className="mt-1 text-ink-soft">
          {isNow ? t(dueNow.amount > 0 ? "plans.done.text" : "plans.done.textFree") : t("plans.done.scheduledText", { plan: planBefore })}
        </p>
        {isNow && restarts ? <p className="mt-1 text-ink-soft">{t("plans.done.restarting")}</p> : null}
        {isNow && !isConfirmed ? <p className="mt-3 text-sm text-ink-soft">{t("plans.done.waiting")}</p> : null}
      </div>
      <div className="mt-6 flex flex-wrap gap-2">
        <ButtonLink to={paths.dashboard}>{t("plans.done.toDashboard")}</ButtonLink>
        <ButtonLink to={paths.billing} tone="plain">
          {t("plans.done.toBilling")}
        </ButtonLink>
      </div>
    </Card>
  );
}

/** Whether the account has the plan yet; polls until it does. */
function useConfirmed(planId: string, isExpected: boolean): boolean {
  const waitFor = useBillingWait();
  const hasPlan = useMaybeUser()?.account.billing?.planId === planId;
  const isWaiting = useRef(false);
  useEffect(() => {
    if (!isExpected || hasPlan || isWaiting.current) return;
    isWaiting.current = true;
    void waitFor({ until: (user) => user.account.billing?.planId === planId });
  }, [isExpected, hasPlan, planId, waitFor]);
  return hasPlan;
}
