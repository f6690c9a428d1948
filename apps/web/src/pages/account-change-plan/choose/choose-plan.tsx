import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { Subscription } from "#contract/billing/billing.ts";
import type { Plan } from "#contract/billing/plans/plan.ts";
import { dayOf } from "../../../features/billing/dates.ts";
import { ResubscribeButton } from "../../../features/billing/resubscribe/resubscribe-button.tsx";
import { ScheduledChangeNotice } from "../../../features/billing/notices/scheduled-change-notice.tsx";
import { usageQuery } from "../../../features/usage/usage-query.ts";
import { CurrencyChoice } from "../../../features/plans/currency-choice.tsx";
import { PeriodSwitch } from "../../../features/plans/period-switch.tsx";
import { RequestByMail } from "../../../features/plans/request-by-mail.tsx";
import { PlanComparison } from "../../../features/plans/comparison/plan-comparison.tsx";
import { planQuery, plansQuery } from "../../../features/plans/plan-queries.ts";
import { expectedExecutions, recommendPlan } from "../../../features/plans/recommend-plan.ts";
import { periodOf, sharedCurrencies, shownPlans, yearlyPercent, type Period } from "../../../features/plans/shown-plans.ts";
import { useUser } from "../../../lib/session/session.ts";
import { Notice } from "../../../ui/notices/notice.tsx";
import { Skeleton, SkeletonGroup } from "../../../ui/progress/skeleton.tsx";
import { t as upgradeText } from "../../../features/billing/upgrade/words.ts";
import { t } from "../../../features/billing/words.ts";
import { isInForce } from "../../../features/billing/in-force.ts";
import { OfferList } from "./offer-list.tsx";
import { choicePath, type PlanChoice } from "../plan-address.ts";
import { t as returningText } from "../words.ts";
import { TryAgain } from "../../../ui/notices/try-again.tsx";
import { number } from "../../../lib/formats.ts";

/** Every plan, with the current one and the recommended one marked; none if only the operator can change the plan. */
export function ChoosePlan({ choice, subscription }: { choice: PlanChoice; subscription: Subscription | null }) {
  const { data: plans, failureReason } = useQuery(plansQuery);
  const queries = useQueryClient();
  return (
    <>
      {subscription ? <Waiting subscription={subscription} /> : null}
      {subscription?.status === "deleted" ? <Returns /> : null}
      {subscription?.isArranged && subscription.status === "active" ? null : plans ? (
        <Offers plans={plans} choice={choice} subscription={subscription} />
      ) : failureReason ? (
        <Notice
          tone="danger"
          title={t("plans.listFailed")}
          action={<TryAgain onClick={() => void queries.resetQueries({ queryKey: plansQuery.queryKey, exact: true })} />}
        >
          {t("plans.listFailedNext")}
        </Notice>
      ) : (
        <OfferSkeleton />
      )}
    </>
  );
}

/** What has ended or is already planned, with a way to undo it: a plan chosen now starts from there. */
function Waiting({ subscription: { status, planName, cancelAt, isArranged, scheduledChange } }: { subscription: Subscription }) {
  // Without billing it was a trial that ended: there is nothing to return to.
  const hasBilling = useUser().account.billing !== null;
  if (status === "deleted" && hasBilling) {
    return (
      <Notice tone="warning" title={t("plans.ended.title")} action={<ResubscribeButton />} className="mb-5">
        {t("plans.ended.text", { plan: planName })}
      </Notice>
    );
  }
  if (!isInForce(status) || (status === "trialing" && !hasBilling)) return null;
  if (isArranged) {
    return (
      <Notice
        tone="info"
        title={t("billing.arranged.fixed")}
        action={<RequestByMail subject={upgradeText("upgrade.arranged.subject")} label={upgradeText("upgrade.arranged.action")} />}
        className="mb-5"
      >
        {t("billing.arranged.fixedText")}
      </Notice>
    );
  }
  return (
    <div className="mb-5 space-y-4 empty:hidden">
      {cancelAt ? (
        <Notice tone="warning" title={t("plans.cancelled.title", { date: dayOf(cancelAt) })} action={<ResubscribeButton />}>
          {t("plans.cancelled.text")}
        </Notice>
      ) : null}
      {scheduledChange ? <ScheduledChangeNotice change={scheduledChange} /> : null}
    </div>
  );
}

/** After the workspace was deleted: what a plan brings back, before anything is paid. */
function Returns() {
  const { instance, lastBackup } = useUser().account;
  if (instance && !instance.isBeingDeleted) return null;
  const [title, text] = instance
    ? [returningText("returning.deletingTitle"), returningText("returning.deleting")]
    : lastBackup
      ? [
          returningText("returning.title"),
          returningText("returning.restored", { made: dayOf(lastBackup.madeAt), until: dayOf(lastBackup.keptUntil) }),
        ]
      : [returningText("returning.emptyTitle"), returningText("returning.empty")];
  return (
    <Notice tone="info" title={title} className="mb-5">
      {text}
    </Notice>
  );
}

/** The plan that is paid for now; a trial without a card and an ended subscription pay for none. */
function useCurrentPlan(plans: readonly Plan[], subscription: Subscription | null): Plan | null {
  const hasBilling = useUser().account.billing !== null;
  const isPaid = subscription && subscription.status !== "deleted" && (subscription.status !== "trialing" || hasBilling);
  const paidId = isPaid ? subscription.planId : null;
  const listed = plans.find(({ id }) => id === paidId) ?? null;
  const { data: unlisted } = useQuery({ ...planQuery(paidId ?? ""), enabled: paidId !== null && listed === null });
  return listed ?? unlisted ?? null;
}

function Offers({ plans, choice, subscription }: { plans: readonly Plan[]; choice: PlanChoice; subscription: Subscription | null }) {
  const navigate = useNavigate();
  const { account } = useUser();
  const current = useCurrentPlan(plans, subscription);
  const { data: usage, isPending, failureCount } = useQuery(usageQuery);
  const period: Period = choice.period ?? (current ? periodOf(current) : "monthly");
  const shown = shownPlans(plans, period, current);
  const currencies = subscription?.currency ? [subscription.currency] : sharedCurrencies(plans);
  const currency =
    subscription?.currency ?? (choice.currency && currencies.includes(choice.currency) ? choice.currency : (currencies[0] ?? "USD"));
  const choose = (changes: Partial<PlanChoice>) =>
    void navigate(choicePath({ period, currency: choice.currency, ...changes }), { replace: true, preventScrollReset: true });
  // Plans that are shown do not move when the recommendation is known.
  if (isPending && failureCount === 0) return <OfferSkeleton />;
  const recommended = recommendPlan(shown, usage ?? null);
  return (
    <div className="space-y-10">
      <div>
        <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
          <PeriodSwitch value={period} onChange={(next) => choose({ period: next })} discount={yearlyPercent(plans, currency)} />
          <CurrencyChoice currencies={currencies} value={currency} onChange={(next) => choose({ currency: next })} />
        </div>
        {recommended && usage ? (
          <p className="mb-4 text-sm text-ink-soft">
            {t("plans.recommendedWhy", {
              executions: number.format(expectedExecutions(usage)),
              workflows: usage.activeWorkflows,
            })}
          </p>
        ) : null}
        <OfferList
          plans={shown}
          current={current}
          recommendedId={recommended?.id ?? null}
          granted={account.planSpec}
          subscription={subscription}
          currency={currency}
          taxIncluded={account.taxInclusive}
          address={(planId) => choicePath({ planId, period, currency: subscription?.currency ? null : currency })}
        />
      </div>
      <PlanComparison plans={shown} />
    </div>
  );
}

export function OfferSkeleton() {
  return (
    <SkeletonGroup label={t("common.loading")}>
      <Skeleton className="mb-5 h-11 w-64 rounded-full" />
      <div className="grid gap-5 sm:grid-cols-2">
        {["one", "two"].map((name) => (
          <Skeleton key={name} className="h-96 rounded-xl" />
        ))}
      </div>
    </SkeletonGroup>
  );
}
