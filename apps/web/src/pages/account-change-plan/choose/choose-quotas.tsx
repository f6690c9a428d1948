import { useState, type FormEvent } from "react";
import { useNavigate } from "react-router";
import type { Subscription } from "#contract/billing/billing.ts";
import type { Plan } from "#contract/billing/plans/plan.ts";
import {
  customPrice,
  quotaNames,
  quotaProblem,
  readNumber,
  toStep,
  type CustomQuotas,
  type QuotaName,
  type Quotas,
} from "../../../features/plans/quotas/custom-quotas.ts";
import { PlanPrice } from "../../../features/plans/plan-price.tsx";
import { QuotaField } from "../../../features/plans/quotas/quota-field.tsx";
import { RequestByMail } from "../../../features/plans/request-by-mail.tsx";
import { useUser } from "../../../lib/session/session.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { t } from "../../../features/billing/words.ts";
import { choicePath, type PlanChoice } from "../plan-address.ts";
import { number } from "../../../lib/formats.ts";

interface ChooseQuotasProps {
  plan: Plan;
  choice: PlanChoice;
  subscription: Subscription | null;
}

const clamp = (value: number, { min, max }: { min: number; max: number }): number => Math.min(max, Math.max(min, value));

/** The initial quotas: the current ones, as far as the plan sells them. */
function initialTexts(quotas: CustomQuotas, held: Subscription["quotas"]): Record<QuotaName, string> {
  const start = (name: QuotaName) => number.format(clamp(held?.[name] ?? quotas[name].included, quotas[name]));
  return { monthlyExecutions: start("monthlyExecutions"), activeWorkflows: start("activeWorkflows") };
}

/** Quotas by number and slider, with their current price; anything above what the plan sells is requested by email. */
export function ChooseQuotas({ plan, choice, subscription }: ChooseQuotasProps) {
  const quotas = plan.custom_quotas!;
  const navigate = useNavigate();
  const { account } = useUser();
  const [texts, setTexts] = useState(() => initialTexts(quotas, subscription?.quotas ?? null));
  const [isSubmitted, setIsSubmitted] = useState(false);
  const currency = subscription?.currency ?? choice.currency ?? "USD";
  const problems = Object.fromEntries(quotaNames.map((name) => [name, quotaProblem(texts[name], quotas[name])])) as Record<
    QuotaName,
    ReturnType<typeof quotaProblem>
  >;
  const isGood = quotaNames.every((name) => problems[name] === null);
  const chosen = Object.fromEntries(
    quotaNames.map((name) => [name, toStep(clamp(readNumber(texts[name]) ?? quotas[name].min, quotas[name]), quotas[name])]),
  ) as Quotas;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsSubmitted(true);
    if (isGood) return void navigate(choicePath({ ...choice, quotas: chosen }));
    const first = quotaNames.find((name) => problems[name] !== null);
    event.currentTarget.querySelector<HTMLInputElement>(`input[name="${first}"]`)?.focus();
  };
  return (
    <>
      <h1 className="text-2xl font-semibold">{t("plans.quota.title")}</h1>
      <p className="mt-1 mb-6 text-ink-soft">
        {t("plans.quota.lead", {
          plan: plan.name,
          executions: number.format(quotas.monthlyExecutions.included),
          workflows: number.format(quotas.activeWorkflows.included),
        })}
      </p>
      <form noValidate onSubmit={submit}>
        <Card label={t("plans.quota.title")}>
          <div className="divide-y divide-line">
            {quotaNames.map((name) => (
              <QuotaField
                key={name}
                name={name}
                bounds={quotas[name]}
                currency={currency}
                text={texts[name]}
                problem={problems[name]}
                isSubmitted={isSubmitted}
                onChange={(text) => setTexts((before) => ({ ...before, [name]: text }))}
              />
            ))}
          </div>
          <div className="flex flex-wrap items-end justify-between gap-4 rounded-b-xl border-t border-line bg-sunken p-5 sm:px-6">
            <output aria-label={t("plans.quota.price")} aria-live="polite">
              <PlanPrice plan={plan} currency={currency} taxIncluded={account.taxInclusive} price={customPrice(plan, chosen, currency)} />
            </output>
            <Button type="submit" className="max-sm:w-full">
              {t("plans.quota.submit")}
            </Button>
          </div>
        </Card>
      </form>
      <div className="mt-5 flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-ink-soft">{t("plans.quota.more")}</p>
        <RequestByMail />
      </div>
    </>
  );
}
