import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { redirect, type LoaderFunctionArgs } from "react-router";
import type { Subscription } from "#contract/billing/billing.ts";
import type { User } from "#contract/accounts/account.ts";
import { subscriptionQuery } from "../../features/billing/billing-queries.ts";
import { isInForce } from "../../features/billing/in-force.ts";
import { CancelSection } from "../../features/billing/subscription/cancel-section.tsx";
import { CardSection } from "../../features/billing/card/card-section.tsx";
import { DetailsSection } from "../../features/billing/details/details-section.tsx";
import { InvoicesSection } from "../../features/billing/invoices/invoices-section.tsx";
import { NextPaymentSection } from "../../features/billing/subscription/next-payment-section.tsx";
import { stateSentence } from "../../features/billing/subscription/state-sentence.ts";
import { PlanSection } from "../../features/billing/subscription/plan-section.tsx";
import { Place } from "../../ui/place.tsx";
import { Loaded } from "../../ui/notices/loaded.tsx";
import { SubscriptionNotices } from "../../features/billing/notices/subscription-notices.tsx";
import { useBillingWait } from "../../features/billing/checkout/use-billing-wait.ts";
import { takeLeftForCard } from "../../features/billing/card/use-change-card.ts";
import { paths } from "../../lib/paths.ts";
import { notify } from "../../lib/notices/notices.ts";
import { freshUser, useMaybeUser } from "../../lib/session/session.ts";
import { t } from "../../features/billing/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("billing.page") };

/** Payments change elsewhere, so the page always reloads them. */
export const loader = async ({ request }: LoaderFunctionArgs) => ((await freshUser(request)) ? null : redirect(paths.home));

/** What the account has, pays and paid, and everything that can be done about it. */
export function Component() {
  const user = useMaybeUser();
  const query = useQuery(subscriptionQuery);
  useReturnFromCard(user?.account.billing?.status);
  if (!user?.account.billing) return null;
  return (
    <Place title={t("billing.title")} wide>
      <Loaded query={query} failed={t("billing.notLoaded")} lines={6}>
        {(subscription) => (subscription ? <Billing subscription={subscription} user={user} /> : null)}
      </Loaded>
    </Place>
  );
}

function Billing({ subscription, user }: { subscription: Subscription; user: User }) {
  const isOver = subscription.status === "deleted";
  // A paused subscription ends without a cancellation, on the day that the notice names.
  // Plans that an operator arranged are not charged here, and only the operator changes them.
  const isCharged = !isOver && !subscription.isArranged;
  const canCancel = isCharged && subscription.cancelAt === null && (isInForce(subscription.status) || subscription.status === "past_due");
  return (
    <div className="space-y-5">
      <p className="-mt-4 text-ink-soft">{stateSentence(subscription)}</p>
      <SubscriptionNotices subscription={subscription} />
      <PlanSection subscription={subscription} spec={user.account.planSpec} taxIncluded={user.account.taxInclusive} />
      {isCharged ? (
        <div className="grid gap-5 xl:grid-cols-2">
          <NextPaymentSection subscription={subscription} />
          <CardSection canChange />
        </div>
      ) : null}
      <InvoicesSection />
      <DetailsSection userId={user.id} fullName={user.fullName} />
      {canCancel ? <CancelSection subscription={subscription} accountName={user.account.name} /> : null}
    </div>
  );
}

/** Back from the provider's page for the card: an open payment may be paid with it now. */
function useReturnFromCard(status: Subscription["status"] | undefined): void {
  const waitForActive = useBillingWait();
  useEffect(() => {
    if (!status || !takeLeftForCard()) return;
    notify("info", t("billing.card.changed"));
    // A paused subscription stays paused until its owner resubscribes, with the new card.
    if (status === "past_due") void waitForActive();
  }, [status, waitForActive]);
}
