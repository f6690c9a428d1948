import { useQuery } from "@tanstack/react-query";
import { CreditCard } from "lucide-react";
import { formatMoney } from "#contract/billing/format-money.ts";
import { t } from "../words.ts";
import { paymentsQuery, type Payment } from "../billing-queries.ts";
import { CardMark } from "../card/card-mark.tsx";
import { shortDay } from "../dates.ts";
import { HistorySection } from "./history-section.tsx";
import { StateMark } from "../../../ui/state-mark.tsx";

const tones = { succeeded: "good", failed: "bad", refunded: "plain", pending: "waiting" } as const;

/** Payments and tries, newest first; a failed one says why. */
export function PaymentsSection() {
  return (
    <HistorySection
      title={t("billing.payments.title")}
      query={useQuery(paymentsQuery)}
      failed={t("billing.payments.notLoaded")}
      empty={{ icon: <CreditCard />, title: t("billing.payments.none"), text: t("billing.payments.noneText") }}
      row={(payment) => <PaymentRow key={payment.id} payment={payment} />}
    />
  );
}

function PaymentRow({ payment: { at, amount, status, brand, lastFour, reason } }: { payment: Payment }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 py-3 text-sm">
      {brand ? <CardMark brand={brand} className="h-6 w-9" /> : null}
      <div className="min-w-0 flex-1 basis-32">
        <p className="tabular-nums">{shortDay(at)}</p>
        {brand ? (
          <p className="text-ink-soft">
            {t("billing.payments.with", {
              brand: t(`billing.card.brands.${brand}`),
              lastFour: lastFour ? t("billing.card.lastFour", { lastFour }) : "",
            })}
          </p>
        ) : null}
        {reason ? <p className="text-danger [overflow-wrap:anywhere]">{reason}</p> : null}
      </div>
      <div className="flex items-center gap-x-4 gap-y-1 max-sm:flex-col-reverse max-sm:items-end">
        <StateMark tone={tones[status]}>{t(`billing.payments.statuses.${status}`)}</StateMark>
        <p className="text-right font-medium tabular-nums sm:min-w-24">{formatMoney(amount)}</p>
      </div>
    </li>
  );
}
