import { useState } from "react";
import { useNavigate } from "react-router";
import type { ChangePreview, Subscription } from "#contract/billing/billing.ts";
import type { Plan } from "#contract/billing/plans/plan.ts";
import { acceptUser } from "../../../features/billing/billing-queries.ts";
import { Loaded } from "../../../ui/notices/loaded.tsx";
import { useChangePreview, type Timing } from "../../../features/plans/use-change-preview.ts";
import type { Quotas } from "../../../features/plans/quotas/custom-quotas.ts";
import { namesApart } from "../../../features/plans/shown-plans.ts";
import { hasCode } from "../../../lib/api/api-error.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { paths } from "../../../lib/paths.ts";
import { useUser } from "../../../lib/session/session.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Card } from "../../../ui/card.tsx";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notices/notice.tsx";
import { t } from "../../../features/billing/words.ts";
import { t as upgradeText } from "../../../features/billing/upgrade/words.ts";
import { ChangeDone } from "./change-done.tsx";
import { ChangeSummary } from "./change-summary.tsx";
import { ChangeTrouble } from "./change-trouble.tsx";
import { StalePrice } from "./stale-price.tsx";
import { dayOf } from "../../../features/billing/dates.ts";
import { formatCharge } from "../../../features/billing/format-price.ts";

interface ConfirmChangeProps {
  plan: Plan;
  quotas: Quotas | null;
  subscription: Subscription;
}

/** What a change costs and removes, and the one button that makes it. */
export function ConfirmChange({ plan, quotas, subscription }: ConfirmChangeProps) {
  const navigate = useNavigate();
  const { planSpec } = useUser().account;
  const [timing, setTiming] = useState<Timing | undefined>(undefined);
  const [done, setDone] = useState<{ preview: ChangePreview; planBefore: string } | null>(null);
  const preview = useChangePreview({ planId: plan.id, quotas, timing });
  const change = useAction(async (agreed: ChangePreview) => {
    try {
      const user = await preview.confirm(agreed);
      if (!user) return;
      setDone({ preview: agreed, planBefore: subscription.planName });
      acceptUser(user);
    } catch (error) {
      if (!hasCode(error, "update_billing_first")) throw error;
      notify("danger", upgradeText("upgrade.updateBillingFirst"));
      await navigate(paths.billing);
    }
  });
  const [before, after] = namesApart(
    { name: subscription.planName, executions: planSpec?.monthlyExecutionsLimit ?? -1, isYearly: subscription.billingPeriod.unit === "yr" },
    {
      name: plan.name,
      executions: quotas?.monthlyExecutions ?? plan.spec.monthlyExecutionsLimit,
      isYearly: plan.billing_period.unit === "yr",
    },
  );
  if (done) return <ChangeDone preview={done.preview} planBefore={done.planBefore} />;
  if (plan.id === subscription.planId && !quotas) {
    return (
      <Notice tone="info" title={t("plans.confirm.same")} action={<ButtonLink to={paths.billing}>{t("plans.done.toBilling")}</ButtonLink>}>
        {t("plans.lead")}
      </Notice>
    );
  }
  return (
    <>
      <h1 className="text-2xl font-semibold">{t("plans.confirm.title", { plan: plan.name })}</h1>
      <p className="mt-1 mb-6 text-ink-soft">{t("plans.confirm.to", { before, after })}</p>
      <Loaded query={preview} failed={t(quotas ? "plans.customizeFailed" : "plans.generic")} lines={6}>
        {(shown) => (
          <div className="space-y-4">
            {preview.outdated ? <StalePrice before={preview.outdated} after={shown} /> : null}
            {change.error ? (
              <ChangeTrouble error={change.error} title={t(quotas ? "plans.customizeFailed" : "plans.changeFailed")} />
            ) : null}
            <Card label={t("plans.confirm.title", { plan: plan.name })}>
              <ChangeSummary
                preview={shown}
                unit={plan.billing_period.unit}
                canBeNow={isSamePeriod(plan, subscription)}
                isFetching={preview.isFetching}
                onTiming={setTiming}
              />
              <div className="flex justify-end border-t border-line p-5 sm:px-6">
                <Button
                  pending={change.pending || preview.isFetching}
                  pendingText={t(change.pending ? "plans.confirm.pending" : "plans.confirm.loading")}
                  onClick={() => void change.run(shown)}
                  className="max-sm:w-full"
                >
                  {confirmLabel(shown)}
                </Button>
              </div>
            </Card>
          </div>
        )}
      </Loaded>
    </>
  );
}

const isSamePeriod = ({ billing_period: next }: Plan, { billingPeriod: now }: Subscription): boolean =>
  next.unit === now.unit && next.count === now.count;

/** The button's label, with the sum it charges. */
function confirmLabel({ timing, dueNow, effectiveAt }: ChangePreview): string {
  if (timing === "period-end") return t("plans.confirm.schedule", { date: dayOf(effectiveAt) });
  return dueNow.amount > 0 ? t("plans.confirm.pay", { amount: formatCharge(dueNow) }) : t("plans.confirm.change");
}
