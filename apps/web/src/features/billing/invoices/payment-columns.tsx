import { t } from "../words.ts";
import type { Payment } from "../billing-queries.ts";
import { CardMark } from "../card/card-mark.tsx";
import { shortDay } from "../dates.ts";
import { StateMark } from "../../../ui/marks/state-mark.tsx";
import type { Column } from "../../../ui/table.tsx";
import { formatMoney } from "../format-price.ts";
import { said } from "../../../words/sentences.ts";

const tones = { succeeded: "good", failed: "bad", refunded: "plain", disputed: "bad", pending: "waiting" } as const;

/** A payment or an attempt: when, with which card, and its outcome. */
export const paymentColumns = (): Column<Payment>[] => [
  { label: t("billing.columns.date"), cell: ({ at }) => <span className="tabular-nums">{shortDay(at)}</span> },
  { label: t("billing.columns.method"), cell: (payment) => (payment.brand || payment.reason ? <Method payment={payment} /> : null) },
  {
    label: t("billing.columns.status"),
    cell: ({ status }) => <StateMark tone={tones[status]}>{t(`billing.payments.statuses.${status}`)}</StateMark>,
  },
  {
    label: t("billing.columns.amount"),
    cell: ({ amount }) => <span className="font-medium">{formatMoney(amount)}</span>,
    isNumber: true,
  },
];

/** The card, and the reason if it was refused. */
function Method({ payment: { brand, lastFour, reason } }: { payment: Payment }) {
  return (
    <span className="block">
      {brand ? <PaidWith brand={brand} lastFour={lastFour} /> : null}
      {reason ? <span className="mt-0.5 block text-danger max-sm:text-right">{said(reason)}</span> : null}
    </span>
  );
}

/** A card in a table's cell. */
export const PaidWith = ({ brand, lastFour }: { brand: NonNullable<Payment["brand"]>; lastFour: string | null }) => (
  <span className="flex items-center gap-2.5 max-sm:justify-end">
    <CardMark brand={brand} className="h-6 w-9 shrink-0" />
    {t("billing.payments.with", {
      brand: t(`billing.card.brands.${brand}`),
      lastFour: lastFour ? t("billing.card.lastFour", { lastFour }) : "",
    })}
  </span>
);
