import type { Subscription } from "#contract/billing/billing.ts";
import type { Plan, PlanSpec } from "#contract/billing/plans/plan.ts";
import { dayOf } from "../../../features/billing/dates.ts";
import { formatPrice } from "../../../features/billing/format-price.ts";
import { enterpriseLabels } from "../../../features/plans/comparison/feature-labels.ts";
import { beginning, priceStep, whatChanges } from "../../../features/plans/comparison/what-changes.ts";
import { FeatureList, OfferMark, PlanOffer, type PlanDifference } from "../../../features/plans/plan-offer.tsx";
import { PlanPrice } from "../../../features/plans/plan-price.tsx";
import { quotaNames, type CustomQuotas } from "../../../features/plans/quotas/custom-quotas.ts";
import { extraPrice } from "../../../features/plans/quotas/quota-words.ts";
import { SizedOffer } from "../../../features/plans/sized-offer.tsx";
import { RequestByMail } from "../../../features/plans/request-by-mail.tsx";
import { isLatest, plansByFamily } from "../../../features/plans/shown-plans.ts";
import { useFrontEndConfig } from "../../../lib/front-end-config.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { isInForce } from "../../../features/billing/in-force.ts";
import { t } from "../../../features/billing/words.ts";
import { number } from "../../../lib/formats.ts";

interface OfferListProps {
  /** In display order. */
  plans: readonly Plan[];
  current: Plan | null;
  /** What the account may use now; null without a plan. */
  granted: PlanSpec | null;
  subscription: Subscription | null;
  recommendedId: string | null;
  currency: string;
  taxIncluded: boolean;
  address: (planId: string) => string;
}

/** Ready-made plans first, then custom ones. */
export function OfferList(props: OfferListProps) {
  const { plans, current, recommendedId, subscription, currency, taxIncluded, address } = props;
  const scheduled = subscription?.scheduledChange ?? null;
  const difference = useDifference(props);
  const whole = plans.filter((plan) => !plan.custom_quotas);
  const made = plans.filter((plan) => plan.custom_quotas);
  return (
    <div className="space-y-5">
      <ul className="grid gap-5 sm:grid-cols-[repeat(auto-fit,minmax(13.5rem,1fr))]">
        {plansByFamily(whole).map((sizes) => (
          <SizedOffer key={sizes[0]!.id} plans={sizes} startWith={startOf(sizes, recommendedId, current)} currentId={current?.id ?? null}>
            {(plan, sizeSwitch) => (
              <PlanOffer
                plan={plan}
                sizes={sizeSwitch}
                currency={currency}
                taxIncluded={taxIncluded}
                isCurrent={plan.id === current?.id}
                isRecommended={plan.id === recommendedId}
                difference={difference(plan)}
                action={
                  plan.id === current?.id ? (
                    <CurrentPlan plan={plan} />
                  ) : (
                    <Choose
                      plan={plan}
                      to={address(plan.id)}
                      isFirst={plan.id === recommendedId}
                      scheduledAt={plan.id === scheduled?.planId ? scheduled.at : null}
                    />
                  )
                }
              />
            )}
          </SizedOffer>
        ))}
      </ul>
      <div className="grid gap-5 lg:grid-cols-2">
        {made.map((plan) => (
          <CustomOffer
            key={plan.id}
            plan={plan}
            isCurrent={plan.id === current?.id}
            isRecommended={plan.id === recommendedId}
            currency={currency}
            taxIncluded={taxIncluded}
            to={address(plan.id)}
          />
        ))}
        <EnterpriseOffer />
      </div>
    </div>
  );
}

/** Of several sizes, the one that fits the usage is shown first, otherwise the current one. */
const startOf = (sizes: readonly Plan[], recommendedId: string | null, current: Plan | null): string | null =>
  sizes.find(({ id }) => id === recommendedId)?.id ?? current?.id ?? null;

/** What each plan would change for this account. */
function useDifference({ current, granted, subscription, currency }: OfferListProps): (plan: Plan) => PlanDifference | null {
  const delivery = useFrontEndConfig();
  return (plan) => {
    if (!granted || subscription?.status === "deleted") return null;
    // A line like those of the others, so that prices and quotas are aligned.
    if (plan.id === current?.id) return { title: "", changes: [], price: t("plans.changes.paidNow"), start: null };
    return {
      title: t(granted.metadata.group === "trial" ? "plans.changes.titleTrial" : "plans.changes.title"),
      changes: whatChanges(granted, plan.spec, delivery),
      // With custom quotas, the list price is not what is paid.
      price: priceWords(plan, priceStep(subscription?.quotas ? null : current, plan, currency), currency),
      start: startWords(plan, current, subscription),
    };
  };
}

function priceWords({ billing_period: { unit } }: Plan, step: number | null, currency: string): string | null {
  if (step === null) return null;
  if (step === 0) return t("plans.changes.samePrice");
  const amount = formatPrice({ amount: Math.abs(step), currency });
  return t(step > 0 ? "plans.changes.dearer" : "plans.changes.cheaper", { amount, each: t(`plans.a.${unit}`) });
}

function startWords(plan: Plan, current: Plan | null, subscription: Subscription | null): string | null {
  if (!current && subscription?.status === "trialing") return t("plans.changes.trial");
  // A cancelled subscription is resumed first, and an ended one starts again.
  if (!current || !subscription || !isInForce(subscription.status) || subscription.cancelAt) return null;
  const start = beginning(current, plan, subscription.quotas);
  if (start === "now") return t("plans.changes.now");
  return start && subscription.periodEndsAt ? t("plans.changes.atEnd", { date: dayOf(subscription.periodEndsAt) }) : null;
}

function CurrentPlan({ plan }: { plan: Plan }) {
  return <p className="min-h-10 py-2 text-sm text-ink-soft">{t(isLatest(plan) ? "plans.confirm.same" : "plans.legacy")}</p>;
}

interface ChooseProps {
  plan: Plan;
  to: string;
  isFirst: boolean;
  scheduledAt: string | null;
}

function Choose({ plan, to, isFirst, scheduledAt }: ChooseProps) {
  if (scheduledAt)
    return <p className="min-h-10 py-2 text-sm font-medium text-accent-strong">{t("plans.waiting", { date: dayOf(scheduledAt) })}</p>;
  return (
    <ButtonLink to={to} tone={isFirst ? "primary" : "plain"} className="w-full">
      {t("plans.choose", { plan: plan.name })}
    </ButtonLink>
  );
}

interface CustomOfferProps {
  plan: Plan;
  isCurrent: boolean;
  isRecommended: boolean;
  currency: string;
  taxIncluded: boolean;
  to: string;
}

const quotaWordsOf = ({ monthlyExecutions, activeWorkflows }: CustomQuotas) => ({
  executions: number.format(monthlyExecutions.included),
  workflows: number.format(activeWorkflows.included),
});

function CustomOffer({ plan, isCurrent, isRecommended, currency, taxIncluded, to }: CustomOfferProps) {
  const quotas = plan.custom_quotas!;
  return (
    <Card label={t("plans.custom.title")} className="flex flex-col p-5 sm:p-6">
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">{plan.name}</h2>
        <OfferMark isCurrent={isCurrent} isRecommended={isRecommended} />
      </div>
      <p className="mt-1 text-sm text-ink-soft">
        {t("plans.custom.lead")}{" "}
        {t("plans.custom.upTo", {
          executions: number.format(quotas.monthlyExecutions.max),
          workflows: number.format(quotas.activeWorkflows.max),
        })}
      </p>
      <FeatureList
        labels={[t("plans.custom.base", quotaWordsOf(quotas)), ...quotaNames.map((name) => extraPrice(name, quotas[name], currency))]}
        className="mt-4"
      />
      <div className="mt-auto flex flex-wrap items-end justify-between gap-4 pt-5">
        <PlanPrice plan={plan} currency={currency} taxIncluded={taxIncluded} isFrom />
        <ButtonLink to={to} tone={isRecommended ? "primary" : "plain"} className="max-sm:w-full">
          {t(isCurrent ? "plans.custom.adjust" : "plans.custom.choose")}
        </ButtonLink>
      </div>
    </Card>
  );
}

function EnterpriseOffer() {
  return (
    <Card label={t("plans.enterprise.name")} className="flex flex-col p-5 sm:p-6">
      <h2 className="text-lg font-semibold">{t("plans.enterprise.name")}</h2>
      <p className="mt-1 text-sm text-ink-soft">{t("plans.enterprise.lead")}</p>
      <FeatureList labels={enterpriseLabels(useFrontEndConfig())} className="mt-4" />
      <div className="mt-auto pt-5">
        <RequestByMail className="max-sm:w-full" />
      </div>
    </Card>
  );
}
