import { useCallback, useEffect, useState } from "react";
import type { Plan } from "#contract/billing/plans/plan.ts";
import { PeriodSwitch } from "../../features/plans/period-switch.tsx";
import { PlanOffer } from "../../features/plans/plan-offer.tsx";
import { plansByFamily, sharedCurrencies, shownPlans, yearlyPercent, type Period } from "../../features/plans/shown-plans.ts";
import { SizedOffer } from "../../features/plans/sized-offer.tsx";
import { t as planText } from "../../features/billing/words.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { t } from "./words.ts";

/** The plans of the public catalogue; each begins with the trial. */
export function FrontPlans() {
  const { plans, error, retry } = usePlans();
  const [period, setPeriod] = useState<Period>("monthly");
  // Custom quotas are priced once there is an account.
  const shown = shownPlans(plans ?? [], period, null).filter((plan) => !plan.custom_quotas);
  return (
    <section id="plans" aria-labelledby="plans-title" className="scroll-mt-6 border-t border-line pt-14">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h2 id="plans-title" className="text-2xl font-semibold">
            {t("front.plansTitle")}
          </h2>
          <p className="mt-1 text-ink-soft">{t("front.plansText")}</p>
        </div>
        {plans ? <PeriodSwitch value={period} onChange={setPeriod} discount={yearlyPercent(plans, currencyOf(plans))} /> : null}
      </div>
      <div className="mt-6 min-h-96">
        {plans ? (
          <ul className="grid items-start gap-4 sm:grid-cols-[repeat(auto-fit,minmax(13.5rem,1fr))]">
            {plansByFamily(shown).map((sizes) => (
              <SizedOffer key={sizes[0]!.id} plans={sizes} startWith={null} currentId={null}>
                {(plan, sizeSwitch) => (
                  <PlanOffer
                    plan={plan}
                    sizes={sizeSwitch}
                    currency={currencyOf(plans)}
                    taxIncluded={false}
                    isCurrent={false}
                    isRecommended={false}
                    difference={null}
                    action={
                      <ButtonLink to={paths.register} tone="plain" className="w-full">
                        {t("front.start")}
                      </ButtonLink>
                    }
                  />
                )}
              </SizedOffer>
            ))}
          </ul>
        ) : error ? (
          <ErrorNotice error={error} title={planText("plans.listFailed")} onRetry={retry} />
        ) : (
          // Not the panel's skeletons, which come with the panel's frame.
          <div aria-busy="true" className="grid gap-4 sm:grid-cols-[repeat(auto-fit,minmax(13.5rem,1fr))]">
            <span className="sr-only">{t("front.loading")}</span>
            {[1, 2].map((number) => (
              <div key={number} className="h-96 animate-pulse-soft rounded-xl bg-line" aria-hidden="true" />
            ))}
          </div>
        )}
      </div>
    </section>
  );
}

/** The currencies in which every plan can be paid; dollars first. */
const currencyOf = (plans: readonly Plan[]): string => sharedCurrencies(plans)[0] ?? "USD";

/** A list that failed is asked for again this often, until it comes. */
const retryMs = 5_000;

interface Plans {
  plans: Plan[] | null;
  error: unknown;
  retry: () => void;
}

/** Without the query library, whose size visitors should not have to load. */
function usePlans(): Plans {
  const [state, setState] = useState<Pick<Plans, "plans" | "error">>({ plans: null, error: null });
  const load = useCallback(() => {
    callApi("listPlans").then(
      ({ plans }) => setState({ plans, error: null }),
      (error: unknown) => setState({ plans: null, error }),
    );
  }, []);
  useEffect(load, [load]);
  const { error } = state;
  useEffect(() => {
    if (!error) return;
    const timer = setTimeout(load, retryMs);
    return () => clearTimeout(timer);
  }, [error, load]);
  const retry = () => {
    setState({ plans: null, error: null });
    load();
  };
  return { ...state, retry };
}
