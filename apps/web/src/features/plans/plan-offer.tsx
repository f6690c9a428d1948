import { Check } from "lucide-react";
import { useId, type ReactNode } from "react";
import type { Plan } from "#contract/billing/plans/plan.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { classNames } from "../../ui/class-names.ts";
import { StateMark } from "../../ui/marks/state-mark.tsx";
import { t } from "../billing/words.ts";
import { featureLabels } from "./comparison/feature-labels.ts";
import { PlanChanges } from "./comparison/plan-changes.tsx";
import type { PlanChange } from "./comparison/what-changes.ts";
import { PlanPrice } from "./plan-price.tsx";
import { familyOf } from "./shown-plans.ts";
import { quotaWords } from "./quotas/quota-words.ts";

interface PlanOfferProps {
  plan: Plan;
  /** Beside the name, if several plans share it: the switch between their sizes. */
  sizes: ReactNode;
  currency: string;
  taxIncluded: boolean;
  isCurrent: boolean;
  isRecommended: boolean;
  /** What it would change for this account; null if there is nothing to compare with. */
  difference: PlanDifference | null;
  /** The button, or the text shown instead. */
  action: ReactNode;
}

export interface PlanDifference {
  title: string;
  changes: readonly PlanChange[];
  /** Sentences; null if only the next page knows. */
  price: string | null;
  start: string | null;
}

/** A plan as one card: price, quotas, features, and the button that chooses it. */
export function PlanOffer({ plan, sizes, currency, taxIncluded, isCurrent, isRecommended, difference, action }: PlanOfferProps) {
  const id = useId();
  const { executions, workflows } = quotaWords(plan);
  const labels = featureLabels(plan.spec, useFrontEndConfig());
  return (
    <li
      aria-labelledby={id}
      className={classNames(
        "@container flex flex-col rounded-xl border bg-surface p-5 shadow-card sm:p-6",
        isRecommended || isCurrent ? "border-accent ring-1 ring-accent" : "border-line",
      )}
    >
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-2">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h2 id={id} className="text-lg font-semibold">
            {sizes ? familyOf(plan) : plan.name}
          </h2>
          {sizes}
        </div>
        <OfferMark isCurrent={isCurrent} isRecommended={isRecommended} />
      </div>
      <PlanPrice plan={plan} currency={currency} taxIncluded={taxIncluded} className="mt-3" />
      {difference?.price ? <p className="mt-0.5 text-[0.8125rem] font-medium">{difference.price}</p> : null}
      <p className="mt-4 font-medium">{executions}</p>
      <p className="font-medium">{workflows}</p>
      <div className="mt-4">{action}</div>
      {difference?.start ? <p className="mt-2 text-[0.8125rem] text-ink-soft">{difference.start}</p> : null}
      {/* One or the other: customers with a plan need the changes, and the table below has everything. */}
      {difference && difference.changes.length > 0 ? (
        <PlanChanges title={difference.title} changes={difference.changes} className="mt-5 border-t border-line pt-4" />
      ) : (
        <FeatureList labels={labels} className="mt-5 border-t border-line pt-4" />
      )}
    </li>
  );
}

export function FeatureList({ labels, className }: { labels: readonly string[]; className?: string }) {
  return (
    <ul className={classNames("grid gap-x-6 gap-y-1.5 text-sm @md:grid-cols-2", className)}>
      {labels.map((label) => (
        <li key={label} className="flex gap-2.5">
          <Check className="mt-[3px] size-4 shrink-0 text-accent" strokeWidth={2.5} aria-hidden="true" />
          {label}
        </li>
      ))}
    </ul>
  );
}

/** Marks the account's current plan, or the one that fits its usage. */
export function OfferMark({ isCurrent, isRecommended }: { isCurrent: boolean; isRecommended: boolean }) {
  if (isCurrent) return <StateMark tone="accent">{t("plans.current")}</StateMark>;
  return isRecommended ? <StateMark tone="good">{t("plans.recommended")}</StateMark> : null;
}
