import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { redirect, useSearchParams, type LoaderFunctionArgs } from "react-router";
import { subscriptionQuery } from "../../features/billing/billing-queries.ts";
import { plansQuery } from "../../features/plans/plan-queries.ts";
import { usageQuery } from "../../features/usage/usage-query.ts";
import { usePrefetch } from "../../lib/first-view/when-idle.ts";
import { loadPage } from "../../lib/faults/load-page.ts";
import { Loaded, LoadingLines } from "../../ui/notices/loaded.tsx";
import { notify } from "../../lib/notices/notices.ts";
import { paths } from "../../lib/paths.ts";
import { freshUser } from "../../lib/session/session.ts";
import { t } from "../../features/billing/upgrade/words.ts";
import { t as billingText } from "../../features/billing/words.ts";
import { ChoosePlan, OfferSkeleton } from "./choose/choose-plan.tsx";
import { readChoice } from "./plan-address.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => billingText("plans.page") };

/** A customer with an open payment settles it first. */
export const loader = async ({ request }: LoaderFunctionArgs) => {
  const user = await freshUser(request);
  if (!user) return redirect(paths.home);
  const status = user.account.billing?.status;
  if (status !== "past_due" && status !== "paused") return null;
  notify("danger", t("upgrade.updateBillingFirst"));
  return redirect(paths.billing);
};

/** The next step, fetched while the user compares the plans. */
const loadConfirm = () => import("./confirm/confirm-plan.tsx");
const ConfirmPlan = lazy(() => loadPage(loadConfirm));

/** Choose a plan, then custom quotas if the plan has them, then confirm. */
export function Component() {
  usePrefetch(loadConfirm);
  const [items] = useSearchParams();
  const choice = readChoice(items);
  const { planId } = choice;
  const query = useQuery(subscriptionQuery);
  // Requested together with it, instead of one after the other as the parts that show them appear.
  useQuery({ ...plansQuery, enabled: !planId });
  useQuery({ ...usageQuery, enabled: !planId });
  if (planId)
    return (
      <Loaded query={query} failed={billingText("billing.notLoaded")} lines={6}>
        {(subscription) => (
          <Suspense fallback={<LoadingLines lines={6} />}>
            <ConfirmPlan key={items.toString()} planId={planId} choice={choice} subscription={subscription} />
          </Suspense>
        )}
      </Loaded>
    );
  return (
    <>
      <h1 className="text-2xl font-semibold">{billingText("plans.title")}</h1>
      <p className="mt-1 mb-6 text-ink-soft">{billingText("plans.lead")}</p>
      <Loaded query={query} failed={billingText("billing.notLoaded")} waiting={<OfferSkeleton />}>
        {(subscription) => <ChoosePlan choice={choice} subscription={subscription} />}
      </Loaded>
    </>
  );
}
