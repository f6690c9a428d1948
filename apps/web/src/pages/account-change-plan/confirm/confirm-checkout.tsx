import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { useQuery } from "@tanstack/react-query";
import type { Subscription } from "#contract/billing/billing.ts";
import type { Plan } from "#contract/billing/plans/plan.ts";
import { dayOf } from "../../../features/billing/dates.ts";
import { formatCharge } from "../../../features/billing/format-price.ts";
import { leaveForCheckout } from "../../../features/billing/checkout/leave-for-checkout.ts";
import { newIdempotencyKey } from "../../../features/billing/checkout/new-idempotency-key.ts";
import { periodEnd } from "./period-end.ts";
import { CurrencyChoice } from "../../../features/plans/currency-choice.tsx";
import { customPrice, type Quotas } from "../../../features/plans/quotas/custom-quotas.ts";
import { PlanPrice } from "../../../features/plans/plan-price.tsx";
import { quotaWords } from "../../../features/plans/quotas/quota-words.ts";
import { plansQuery } from "../../../features/plans/plan-queries.ts";
import { sharedCurrencies } from "../../../features/plans/shown-plans.ts";
import { hasCode } from "../../../lib/api/api-error.ts";
import { useUser } from "../../../lib/session/session.ts";
import { serviceNowMs } from "../../../lib/browser/use-now.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { t } from "../../../features/billing/words.ts";
import { choicePath } from "../plan-address.ts";
import { t as planText } from "../words.ts";

interface ConfirmCheckoutProps {
  plan: Plan;
  quotas: Quotas | null;
  currency: string | null;
  subscription: Subscription | null;
}

/** What the customer is about to buy, before they leave for the payment page. */
export function ConfirmCheckout({ plan, quotas, currency: asked, subscription }: ConfirmCheckoutProps) {
  const navigate = useNavigate();
  const { account } = useUser();
  const { data: plans } = useQuery(plansQuery);
  const currencies = subscription?.currency ? [subscription.currency] : sharedCurrencies([...(plans ?? []), plan]);
  const currency = subscription?.currency ?? (asked && asked in plan.recurring_price ? asked : (currencies[0] ?? "USD"));
  // Repeated requests of the same click open one checkout; another currency opens another one.
  const [keys] = useState(() => new Map<string, string>());
  const open = useAction(async () => {
    const key = keys.get(currency) ?? newIdempotencyKey();
    keys.set(currency, key);
    try {
      await leaveForCheckout({ planId: plan.id, currency, quotas, key });
    } catch (error) {
      keys.delete(currency);
      throw error;
    }
  });
  const words = quotaWords(
    quotas
      ? { spec: { ...plan.spec, monthlyExecutionsLimit: quotas.monthlyExecutions, activeWorkflowsLimit: quotas.activeWorkflows } }
      : plan,
  );
  const listed = plan.recurring_price[currency];
  const due = quotas ? customPrice(plan, quotas, currency) : listed === undefined ? null : { amount: listed, currency };
  const isTrial = account.planSpec?.metadata.group === "trial" && subscription?.status === "trialing";
  return (
    <>
      <h1 className="text-2xl font-semibold">{t("checkout.title")}</h1>
      <p className="mt-1 mb-6 text-ink-soft">{t("checkout.lead")}</p>
      {open.error ? (
        <ErrorNotice
          error={open.error}
          title={t("checkout.failed")}
          className="mb-4"
          action={
            hasCode(open.error, "already_subscribed") ? (
              <Button tone="plain" onClick={() => location.reload()}>
                {t("common.reload")}
              </Button>
            ) : null
          }
        />
      ) : null}
      <Card label={t("checkout.title")}>
        <div className="flex flex-wrap items-start justify-between gap-4 p-5 sm:p-6">
          <div>
            <p className="text-[0.8125rem] text-ink-soft">{t("checkout.plan")}</p>
            <p className="text-lg font-semibold">{plan.name}</p>
            <PlanPrice
              plan={plan}
              currency={currency}
              taxIncluded={false}
              price={quotas ? customPrice(plan, quotas, currency) : null}
              className="mt-2"
            />
          </div>
          <CurrencyChoice
            currencies={currencies}
            value={currency}
            onChange={(next) => void navigate(choicePath({ planId: plan.id, quotas, currency: next }), { replace: true })}
          />
        </div>
        <dl className="divide-y divide-line border-t border-line px-5 text-sm sm:px-6">
          <Row name={t("checkout.quotas")}>{`${words.executions}, ${words.workflows}`}</Row>
          <Row name={t("checkout.due")}>{due ? t("checkout.dueText", { amount: formatCharge(due) }) : t("checkout.taxText")}</Row>
          <Row name={t("checkout.tax")}>{t("checkout.taxText")}</Row>
          <Row name={t("checkout.renews")}>
            {t("checkout.renewsText", {
              period: t(`checkout.unit.${plan.billing_period.unit}`),
              date: dayOf(periodEnd(serviceNowMs(), plan.billing_period)),
            })}
          </Row>
          {subscription?.status === "deleted" && !account.instance ? (
            <Row name={planText("returning.name")}>
              {account.lastBackup
                ? planText("returning.restoredRow", { made: dayOf(account.lastBackup.madeAt) })
                : planText("returning.emptyRow")}
            </Row>
          ) : null}
          {isTrial ? (
            <Row name={t("checkout.trial")}>
              {t("checkout.trialText")} {account.instance ? planText("running.restarts") : null}
            </Row>
          ) : null}
        </dl>
        <div className="flex justify-end border-t border-line p-5 sm:px-6">
          <Button pending={open.pending} pendingText={t("checkout.pending")} onClick={() => void open.run()} className="max-sm:w-full">
            {t("checkout.submit")}
          </Button>
        </div>
      </Card>
    </>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-0.5 py-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <dt className="text-ink-soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
