import type { ReactNode } from "react";
import type { Money } from "#contract/billing/money/money.ts";
import { t } from "../words.ts";
import type { PaymentInformation } from "../billing-queries.ts";
import { cardText } from "../card/card-text.ts";
import { dayOf } from "../dates.ts";
import { formatCharge } from "../format-price.ts";

interface ChargeFactsProps {
  /** Null: not known, or said elsewhere. */
  dueNow: Money | null;
  card: PaymentInformation | null;
  /** The payment after this one; without an amount if that is not known yet. */
  next: { at: string; amount: Money | null } | null;
  className?: string;
}

/** What pressing the button charges: how much in which currency, from which card, and when the next payment is due. */
export function ChargeFacts({ dueNow, card, next, className }: ChargeFactsProps) {
  return (
    <dl className={`divide-y divide-line text-sm ${className ?? ""}`}>
      {dueNow ? <Fact name={t("billing.charge.now")}>{formatCharge(dueNow)}</Fact> : null}
      {card ? <Fact name={t("billing.charge.card")}>{cardText(card)}</Fact> : null}
      {next ? (
        <Fact name={t("billing.charge.next")}>
          {next.amount ? t("billing.charge.nextOn", { amount: formatCharge(next.amount), date: dayOf(next.at) }) : dayOf(next.at)}
        </Fact>
      ) : null}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="font-medium tabular-nums">{children}</dd>
    </div>
  );
}
