import type { Plan } from "#contract/billing/plans/plan.ts";
import type { Money } from "#contract/billing/money/money.ts";
import { formatPrice } from "../billing/format-price.ts";
import { t } from "../billing/words.ts";
import { monthsOf, periodOf } from "./shown-plans.ts";

interface PlanPriceProps {
  plan: Plan;
  currency: string;
  taxIncluded: boolean;
  /** Custom quotas start at this price. */
  isFrom?: boolean;
  /** Given if it is not the plan's own. */
  price?: Money | null;
  className?: string;
}

/** The price of a plan, and what yearly payment costs per month. */
export function PlanPrice({ plan, currency, taxIncluded, isFrom = false, price, className }: PlanPriceProps) {
  const listed = plan.recurring_price[currency];
  const money = price ?? (listed === undefined ? null : { amount: listed, currency });
  if (!money) return null;
  return (
    <div className={className}>
      <p>
        {isFrom ? <span className="text-sm text-ink-soft">{t("plans.from")} </span> : null}
        <span className="text-3xl font-semibold tracking-tight tabular-nums">{formatPrice(money)}</span>{" "}
        <span className="text-sm text-ink-soft">{t(`plans.a.${plan.billing_period.unit}`)}</span>
      </p>
      <p className="mt-0.5 text-[0.8125rem] text-ink-soft">
        {periodOf(plan) === "yearly"
          ? `${t("plans.billedYearly", { amount: formatPrice({ ...money, amount: Math.round(money.amount / monthsOf(plan)) }) })}, `
          : null}
        {t(taxIncluded ? "plans.taxIncluded" : "plans.salesTax")}
      </p>
    </div>
  );
}
