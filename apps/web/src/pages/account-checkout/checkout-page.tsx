import { CircleCheck, CircleSlash, CircleX, Hourglass } from "lucide-react";
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { redirect, useSearchParams } from "react-router";
import { useQuery } from "@tanstack/react-query";
import { acceptUser } from "../../features/billing/billing-queries.ts";
import { tellPaymentComplete } from "../../features/billing/checkout/leave-for-checkout.ts";
import { isBillingActive, useBillingWait } from "../../features/billing/checkout/use-billing-wait.ts";
import { mostTries } from "../../features/billing/checkout/wait-for-billing.ts";
import { planQuery } from "../../features/plans/plan-queries.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { paths } from "../../lib/paths.ts";
import { currentUser } from "../../lib/session/session.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { ProgressBar } from "../../ui/progress/progress-bar.tsx";
import { t } from "../../features/billing/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("checkout.page") };

/** Without a plan in the address, the visitor did not come from a payment page. */
export const loader = async ({ request }: { request: Request }) =>
  (await currentUser()) && new URL(request.url).searchParams.has("plan") ? null : redirect(paths.changePlan);

/** Back from the payment page: cancelled, or paid and waiting for the provider's confirmation. */
export function Component() {
  const [items] = useSearchParams();
  const planId = items.get("plan") ?? "";
  const isPaid = items.get("result") === "success";
  return <div className="mx-auto max-w-xl">{isPaid ? <Waiting planId={planId} /> : <Canceled />}</div>;
}

type State = { name: "waiting"; attempt: number } | { name: "done" } | { name: "still-waiting" } | { name: "failed"; error: unknown };

/** Tells the API that the customer is back, then reloads the user until the subscription is active. */
function useCheckout(planId: string): { state: State; start: () => void } {
  const waitForActive = useBillingWait();
  const [state, setState] = useState<State>({ name: "waiting", attempt: 0 });
  const run = useCallback(async () => {
    setState({ name: "waiting", attempt: 0 });
    try {
      const { user } = await callApi("completeCheckout", { body: { planId } });
      acceptUser(user);
      if (isBillingActive(user)) return setState({ name: "done" });
    } catch (error) {
      // A provider that cannot be reached now may still confirm: only a clear refusal ends the wait.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429)
        return setState({ name: "failed", error });
    }
    const outcome = await waitForActive({ onTry: (attempt) => setState({ name: "waiting", attempt }) });
    if (outcome !== "stopped") setState(outcome === "active" ? { name: "done" } : { name: "still-waiting" });
  }, [planId, waitForActive]);
  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    void run();
  }, [run]);
  useEffect(() => {
    if (state.name === "done") tellPaymentComplete();
  }, [state.name]);
  return { state, start: () => void run() };
}

function Waiting({ planId }: { planId: string }) {
  const { data: plan } = useQuery(planQuery(planId));
  const { state, start } = useCheckout(planId);
  if (state.name === "failed") {
    return (
      <Outcome
        icon={<CircleX className="text-danger" />}
        title={t("checkout.failureTitle")}
        actions={<ButtonLink to={paths.changePlan}>{t("checkout.toPlans")}</ButtonLink>}
      >
        <ErrorNotice error={state.error} />
      </Outcome>
    );
  }
  if (state.name === "done") {
    return (
      <Outcome
        icon={<CircleCheck className="text-success" />}
        title={t("checkout.doneTitle", { plan: plan?.name ?? planId })}
        actions={
          <>
            <ButtonLink to={paths.dashboard}>{t("checkout.toDashboard")}</ButtonLink>
            <ButtonLink to={paths.billing} tone="plain">
              {t("checkout.toBilling")}
            </ButtonLink>
          </>
        }
      >
        <p className="text-ink-soft">{t("checkout.doneText")}</p>
      </Outcome>
    );
  }
  if (state.name === "still-waiting") {
    return (
      <Outcome
        icon={<Hourglass className="text-warning" />}
        title={t("checkout.stillTitle")}
        actions={
          <>
            <Button onClick={start}>{t("checkout.again")}</Button>
            <ButtonLink to={paths.dashboard} tone="plain">
              {t("checkout.toDashboard")}
            </ButtonLink>
          </>
        }
      >
        <p className="text-ink-soft">{t("checkout.stillText")}</p>
      </Outcome>
    );
  }
  return (
    <Outcome icon={<Hourglass className="text-accent" />} title={t("checkout.waitingTitle")}>
      <p className="mb-4 text-ink-soft">{t("checkout.waitingText")}</p>
      <ProgressBar
        value={null}
        label={t("checkout.waitingTitle")}
        text={t("checkout.waitingTry", { attempt: state.attempt, most: mostTries })}
      />
      {state.attempt > 0 ? (
        <p className="mt-2 text-sm text-ink-soft tabular-nums">{t("checkout.waitingTry", { attempt: state.attempt, most: mostTries })}</p>
      ) : null}
    </Outcome>
  );
}

function Canceled() {
  return (
    <Outcome
      icon={<CircleSlash className="text-ink-soft" />}
      title={t("checkout.canceledTitle")}
      actions={
        <>
          <ButtonLink to={paths.changePlan}>{t("checkout.canceledAgain")}</ButtonLink>
          <ButtonLink to={paths.dashboard} tone="plain">
            {t("checkout.toDashboard")}
          </ButtonLink>
        </>
      }
    >
      <p className="text-ink-soft">{t("checkout.canceledText")}</p>
    </Outcome>
  );
}

function Outcome({ icon, title, children, actions }: { icon: ReactNode; title: string; children: ReactNode; actions?: ReactNode }) {
  return (
    <Card label={t("checkout.page")} className="p-6 sm:p-8">
      <div className="[&>svg]:size-10" aria-hidden="true">
        {icon}
      </div>
      <div role="status">
        <h1 className="mt-4 mb-1 text-2xl font-semibold">{title}</h1>
        {children}
      </div>
      {actions ? <div className="mt-6 flex flex-wrap gap-2">{actions}</div> : null}
    </Card>
  );
}
