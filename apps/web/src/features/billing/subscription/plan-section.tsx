import { useQuery } from "@tanstack/react-query";
import type { Subscription } from "#contract/billing/billing.ts";
import type { PlanSpec } from "#contract/billing/plans/plan.ts";
import { paths } from "../../../lib/paths.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { t } from "../words.ts";
import { planQuery } from "../../plans/plan-queries.ts";
import { dayOf } from "../dates.ts";
import { formatPrice } from "../format-price.ts";
import { classNames } from "../../../ui/class-names.ts";
import { Section } from "../../../ui/section.tsx";
import { StateMark } from "../../../ui/marks/state-mark.tsx";
import { quotaWords } from "../../plans/quotas/quota-words.ts";
import { UsageMeters } from "../../usage/usage-meters.tsx";
import { usageQuery } from "../../usage/usage-query.ts";

const tones = { active: "good", trialing: "accent", past_due: "waiting", paused: "bad", deleted: "plain" } as const;

/** The plan, what it costs, until when it is paid, and how much of it is used. */
export function PlanSection({
  subscription,
  spec,
  taxIncluded,
}: {
  subscription: Subscription;
  spec: PlanSpec | null;
  taxIncluded: boolean;
}) {
  const { status, planName, planId, cancelAt, isArranged } = subscription;
  const mayChange = status === "active" || status === "trialing";
  const isEnding = cancelAt !== null && mayChange;
  return (
    <Section
      title={t("billing.plan.title")}
      action={
        mayChange && !isArranged ? (
          <ButtonLink to={paths.changePlan} tone="plain" className="-my-1.5">
            {t("billing.plan.change")}
          </ButtonLink>
        ) : null
      }
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="text-2xl font-semibold">{planName}</p>
        {isEnding ? (
          <StateMark tone="waiting">{t("billing.plan.ends", { date: dayOf(cancelAt) })}</StateMark>
        ) : (
          <StateMark tone={tones[status]}>{t(`billing.statuses.${status}`)}</StateMark>
        )}
      </div>
      <p className="mt-0.5 flex min-h-5 flex-wrap gap-x-4 text-sm text-ink-soft">
        {isArranged ? <span>{t("billing.arranged.billed")}</span> : null}
        <Price planId={planId} taxIncluded={taxIncluded} subscription={subscription} />
      </p>
      {spec ? <PlanUsage spec={spec} className="mt-5" /> : null}
    </Section>
  );
}

/** The list price, and whether it includes tax; with custom quotas, the next payment shows the price instead. */
function Price({
  planId,
  taxIncluded,
  subscription: { currency, billingPeriod, quotas },
}: {
  planId: string;
  taxIncluded: boolean;
  subscription: Subscription;
}) {
  const { data: plan } = useQuery(planQuery(planId));
  const amount = currency ? plan?.recurring_price[currency] : undefined;
  if (!currency || amount === undefined || quotas) return null;
  const price = t("billing.plan.price", { amount: formatPrice({ amount, currency }), each: t(`plans.a.${billingPeriod.unit}`) });
  return <span>{`${price}, ${t(taxIncluded ? "plans.taxIncluded" : "plans.salesTax")}`}</span>;
}

/** How much of the plan is used; only its limits, until something was counted. */
function PlanUsage({ spec, className }: { spec: PlanSpec; className?: string }) {
  const { data: usage, isError, isPending } = useQuery(usageQuery);
  // Their height from the start, so that nothing below moves when they appear.
  const room = "min-h-[186px] sm:min-h-[104px]";
  if (usage) {
    return (
      <div className={classNames(room, className)}>
        <UsageMeters usage={usage} />
      </div>
    );
  }
  const { executions, workflows } = quotaWords({ spec });
  return (
    <div className={classNames("text-sm", isPending && room, className)}>
      <p>{executions}</p>
      <p>{workflows}</p>
      {isError ? <p className="mt-1 text-ink-soft">{t("billing.plan.noUsage")}</p> : null}
    </div>
  );
}
