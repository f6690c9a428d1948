import { Check } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import type { Plan } from "#contract/billing/plans/plan.ts";
import { classNames } from "../../ui/class-names.ts";
import { t } from "../billing/words.ts";
import { familyOf, sizeOf } from "./shown-plans.ts";

interface SizedOfferProps {
  /** Of one family, smallest first. */
  plans: readonly Plan[];
  /** The one that is shown until another is chosen; the smallest if it is not among them. */
  startWith: string | null;
  currentId: string | null;
  /** The card; `sizes` is the switch, null if there is nothing to choose. */
  children: (plan: Plan, sizes: ReactNode) => ReactNode;
}

/** Plans that differ in size only are one offer, whose size is chosen in it. The choice stays when the billing period changes. */
export function SizedOffer({ plans, startWith, currentId, children }: SizedOfferProps) {
  const [chosen, choose] = useState<string | null>(null);
  const name = useId();
  const plan = plans.find(({ spec }) => spec.id === chosen) ?? plans.find(({ id }) => id === startWith) ?? plans[0]!;
  const sizes =
    plans.length > 1 ? (
      <fieldset className="flex items-center gap-2">
        <legend className="sr-only">{t("plans.size", { plan: familyOf(plan) })}</legend>
        <span className="flex rounded-full border border-line-strong p-0.5">
          {plans.map((each) => (
            <label
              key={each.id}
              className={classNames(
                "flex min-h-7 cursor-pointer items-center rounded-full px-3 text-[0.8125rem] font-semibold tabular-nums select-none has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
                each === plan ? "bg-accent-soft text-accent-strong" : "text-ink-soft hover:text-ink",
              )}
            >
              <input type="radio" name={name} checked={each === plan} onChange={() => choose(each.spec.id)} className="sr-only" />
              {each.id === currentId ? <Check className="mr-1 size-3.5" strokeWidth={2.5} aria-hidden="true" /> : null}
              {sizeOf(each)}
              {each.id === currentId ? <span className="sr-only"> ({t("plans.current")})</span> : null}
            </label>
          ))}
        </span>
        <span className="text-sm text-ink-soft" aria-hidden="true">
          {t("plans.sizeUnit")}
        </span>
      </fieldset>
    ) : null;
  return children(plan, sizes);
}
