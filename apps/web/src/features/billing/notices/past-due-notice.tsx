import { CircleX, Clock } from "lucide-react";
import { useRef } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Subscription } from "#contract/billing/billing.ts";
import type { Money } from "#contract/billing/money/money.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { ApiError, hasCode } from "../../../lib/api/api-error.ts";
import { notify } from "../../../lib/notices/notices.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Notice } from "../../../ui/notices/notice.tsx";
import { isInForce } from "../in-force.ts";
import { t } from "../words.ts";
import { acceptUser, paymentInformationQuery, paymentsQuery } from "../billing-queries.ts";
import { cardText } from "../card/card-text.ts";
import { ConfirmPaymentLink } from "../checkout/confirm-payment-link.tsx";
import { dayOf } from "../dates.ts";
import { formatCharge } from "../format-price.ts";
import { newIdempotencyKey } from "../checkout/new-idempotency-key.ts";
import { useBillingWait } from "../checkout/use-billing-wait.ts";
import { useChangeCard } from "../card/use-change-card.ts";

/** A payment failed: past and planned attempts, and the two ways to settle it now. */
export function PastDueNotice({ subscription: { retries, periodEndsAt } }: { subscription: Subscription }) {
  const changeCard = useChangeCard();
  const retry = useRetry();
  const open = useOpenAmount();
  const { data: card } = useQuery(paymentInformationQuery);
  const error = retry.error ?? changeCard.error;
  return (
    <div className="space-y-3">
      <Notice
        tone="warning"
        title={t("billing.pastDue.title")}
        action={
          <>
            {open ? (
              <Button pending={retry.pending} pendingText={t("billing.pastDue.retrying")} onClick={() => void retry.run(open)}>
                {t("billing.pastDue.retry", { amount: formatCharge(open) })}
              </Button>
            ) : null}
            <Button
              tone={open ? "plain" : "primary"}
              pending={changeCard.pending}
              pendingText={t("billing.card.opening")}
              onClick={() => void changeCard.run()}
            >
              {t("billing.card.change")}
            </Button>
          </>
        }
      >
        <p>{t(retries.length > 0 ? "billing.pastDue.text" : "billing.pastDue.textNoTries")}</p>
        {retries.length > 0 ? <Tries retries={retries} /> : null}
        {open ? (
          <p className="mt-2.5">
            {card
              ? t("billing.pastDue.retryText", { amount: formatCharge(open), card: cardText(card) })
              : t("billing.pastDue.retryTextNoCard", { amount: formatCharge(open) })}{" "}
            {periodEndsAt ? t("billing.pastDue.after", { date: dayOf(periodEndsAt) }) : null}
          </p>
        ) : null}
      </Notice>
      {error ? (
        <ErrorNotice
          error={error}
          title={t(retry.error ? "billing.pastDue.retryFailed" : "billing.paymentInfoFailed")}
          action={hasCode(error, "payment_action_required") ? <ConfirmPaymentLink error={error} /> : null}
        />
      ) : null}
    </div>
  );
}

/** The sum of an attempt: that of the last failed one; null until it is known. */
function useOpenAmount(): Money | null {
  const { data: payments } = useQuery(paymentsQuery);
  return payments?.find(({ status }) => status === "failed")?.amount ?? null;
}

/** Past attempts first, then the planned ones. */
function Tries({ retries }: Pick<Subscription, "retries">) {
  return (
    <ol aria-label={t("billing.pastDue.tries")} className="mt-2.5 space-y-1">
      {retries.map(({ at, outcome }) => (
        <li key={`${at}-${outcome}`} className="flex items-center gap-2 text-ink">
          {outcome === "failed" ? (
            <CircleX className="size-4 text-danger" aria-hidden="true" />
          ) : (
            <Clock className="size-4 text-ink-soft" aria-hidden="true" />
          )}
          {t(`billing.pastDue.${outcome}`, { date: dayOf(at) })}
        </li>
      ))}
    </ol>
  );
}

/** Charges the card again now, once per press, and only the sum shown on the button. */
function useRetry() {
  const queries = useQueryClient();
  const waitForActive = useBillingWait();
  const key = useRef<string | null>(null);
  return useAction(async (shown: Money) => {
    key.current ??= newIdempotencyKey();
    try {
      const { user } = await callApi("retryPayment", { body: { shown }, key: key.current });
      key.current = null;
      acceptUser(user);
      const isPaid = isInForce(user.account.billing?.status) || (await waitForActive()) === "active";
      notify(isPaid ? "success" : "info", t(isPaid ? "billing.pastDue.retried" : "billing.pastDue.retryPending"));
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) key.current = null;
      if (hasCode(error, "preview_stale")) await queries.invalidateQueries({ queryKey: paymentsQuery.queryKey });
      throw error;
    }
  });
}
