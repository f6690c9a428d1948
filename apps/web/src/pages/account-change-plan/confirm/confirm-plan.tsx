import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Subscription } from "#contract/billing/billing.ts";
import { isInForce } from "../../../features/billing/in-force.ts";
import { planQuery } from "../../../features/plans/plan-queries.ts";
import { useUser } from "../../../lib/session/session.ts";
import { Loaded } from "../../../ui/notices/loaded.tsx";
import { ButtonLink } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notices/notice.tsx";
import { t } from "../../../features/billing/words.ts";
import { ChooseQuotas } from "../choose/choose-quotas.tsx";
import { ConfirmChange } from "./confirm-change.tsx";
import { ConfirmCheckout } from "./confirm-checkout.tsx";
import { choicePath, type PlanChoice } from "../plan-address.ts";

interface ConfirmPlanProps {
  planId: string;
  choice: PlanChoice;
  subscription: Subscription | null;
}

/** Confirms one plan: as a first purchase or as a change of the current plan. */
export default function ConfirmPlan({ planId, choice, subscription }: ConfirmPlanProps) {
  const query = useQuery(planQuery(planId));
  const hasBilling = useUser().account.billing !== null;
  const back = choicePath({ period: choice.period, currency: choice.currency });
  return (
    <div className="mx-auto max-w-2xl">
      <Link
        to={back}
        className="-ml-2 mb-3 inline-flex min-h-9 items-center gap-1.5 rounded-lg px-2 text-sm font-medium text-ink-soft hover:bg-sunken hover:text-ink"
      >
        <ArrowLeft className="size-4" aria-hidden="true" />
        {t("plans.back")}
      </Link>
      <Loaded query={query} failed={t("plans.generic")} lines={6}>
        {(plan): ReactNode => {
          if (!plan) {
            return (
              <Notice tone="danger" title={t("plans.unknown")} action={<ButtonLink to={back}>{t("plans.back")}</ButtonLink>}>
                {t("plans.lead")}
              </Notice>
            );
          }
          if (plan.custom_quotas && !choice.quotas) return <ChooseQuotas plan={plan} choice={choice} subscription={subscription} />;
          if (subscription && isInForce(subscription.status) && (subscription.status !== "trialing" || hasBilling))
            return <ConfirmChange plan={plan} quotas={plan.custom_quotas ? choice.quotas : null} subscription={subscription} />;
          return (
            <ConfirmCheckout
              plan={plan}
              quotas={plan.custom_quotas ? choice.quotas : null}
              currency={choice.currency}
              subscription={subscription}
            />
          );
        }}
      </Loaded>
    </div>
  );
}
