import { useQuery } from "@tanstack/react-query";
import type { Subscription } from "#contract/billing.ts";
import type { PlanSpec } from "#contract/plan.ts";
import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { t } from "../../words/words.ts";
import { planQuery } from "../plans/plan-queries.ts";
import { PlanUsage } from "./plan-usage.tsx";
import { dayOf } from "./dates.ts";
import { formatPrice } from "./format-price.ts";
import { Section } from "../../ui/section.tsx";
import { StateMark } from "./state-mark.tsx";

const tones = { active: "good", trialing: "accent", past_due: "waiting", paused: "bad", deleted: "plain" } as const;

/** The plan, what it costs, until when it is paid, and how much of it is used. */
export function PlanSection({ subscription, spec }: { subscription: Subscription; spec: PlanSpec | null }) {
  const { status, planName, planId, periodEndsAt, cancelAt } = subscription;
  const mayChange = status === "active" || status === "trialing";
  const end = cancelAt ?? periodEndsAt;
  return (
    <Section
      title={t("billing.plan.title")}
      action={
        mayChange ? (
          <ButtonLink to={paths.changePlan} tone="plain" className="-my-1.5">
            {t("billing.plan.change")}
          </ButtonLink>
        ) : null
      }
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="text-2xl font-semibold">{planName}</p>
        <StateMark tone={tones[status]}>{t(`billing.statuses.${status}`)}</StateMark>
      </div>
      <p className="mt-0.5 flex flex-wrap gap-x-4 text-sm text-ink-soft">
        <Price planId={planId} subscription={subscription} />
        {end && mayChange ? <span>{t(cancelAt ? "billing.plan.ends" : "billing.plan.renews", { date: dayOf(end) })}</span> : null}
      </p>
      {spec ? <PlanUsage spec={spec} className="mt-5" /> : null}
    </Section>
  );
}

/** The list price; with quotas of the customer's own the next payment says what it is. */
function Price({ planId, subscription: { currency, billingPeriod, quotas } }: { planId: string; subscription: Subscription }) {
  const { data: plan } = useQuery(planQuery(planId));
  const amount = currency ? plan?.recurring_price[currency] : undefined;
  if (!currency || amount === undefined || quotas) return null;
  return <span>{t("billing.plan.price", { amount: formatPrice({ amount, currency }), each: t(`plans.a.${billingPeriod.unit}`) })}</span>;
}
