import { useQuery } from "@tanstack/react-query";
import { CreditCard } from "lucide-react";
import { useState } from "react";
import { formatMoney } from "#contract/format-money.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { t } from "../../words/words.ts";
import { paymentsQuery, type Payment } from "./billing-queries.ts";
import { CardMark } from "./card-mark.tsx";
import { shortDay } from "./dates.ts";
import { Section } from "../../ui/section.tsx";
import { Loaded } from "./loaded.tsx";
import { StateMark } from "./state-mark.tsx";

const firstShown = 6;
const tones = { succeeded: "good", failed: "bad", refunded: "plain", pending: "waiting" } as const;

/** Payments and tries, newest first; a failed one says why. */
export function PaymentsSection() {
  const query = useQuery(paymentsQuery);
  return (
    <Section title={t("billing.payments.title")}>
      <Loaded query={query} failed={t("billing.payments.notLoaded")} lines={4}>
        {(list) =>
          list.length > 0 ? (
            <Payments list={list} />
          ) : (
            <EmptyState icon={<CreditCard />} title={t("billing.payments.none")}>
              {t("billing.payments.noneText")}
            </EmptyState>
          )
        }
      </Loaded>
    </Section>
  );
}

function Payments({ list }: { list: readonly Payment[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? list : list.slice(0, firstShown);
  return (
    <>
      <ul className="-my-3 divide-y divide-line">
        {shown.map((payment) => (
          <PaymentRow key={payment.id} payment={payment} />
        ))}
      </ul>
      {shown.length < list.length ? (
        <Button tone="quiet" onClick={() => setShowsAll(true)} className="mt-4 -ml-4">
          {t("billing.invoices.showAll", { count: list.length })}
        </Button>
      ) : null}
    </>
  );
}

function PaymentRow({ payment: { at, amount, status, brand, lastFour, reason } }: { payment: Payment }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 py-3 text-sm">
      {brand ? <CardMark brand={brand} className="h-6 w-9" /> : null}
      <div className="min-w-0 flex-1 basis-32">
        <p className="tabular-nums">{shortDay(at)}</p>
        {brand ? <p className="text-ink-soft">{t("billing.payments.with", { brand: t(`billing.card.brands.${brand}`), lastFour: lastFour ? t("billing.card.lastFour", { lastFour }) : "" })}</p> : null}
        {reason ? <p className="text-danger [overflow-wrap:anywhere]">{reason}</p> : null}
      </div>
      <div className="flex items-center gap-x-4 gap-y-1 max-sm:flex-col-reverse max-sm:items-end">
        <StateMark tone={tones[status]}>{t(`billing.payments.statuses.${status}`)}</StateMark>
        <p className="text-right font-medium tabular-nums sm:min-w-24">{formatMoney(amount)}</p>
      </div>
    </li>
  );
}
