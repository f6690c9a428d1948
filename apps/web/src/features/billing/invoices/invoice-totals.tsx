import type { ReactNode } from "react";
import type { InvoiceSheet } from "#contract/billing/invoice.ts";
import type { Money } from "#contract/billing/money/money.ts";
import { classNames } from "../../../ui/class-names.ts";
import { formatMoney } from "../format-price.ts";
import { CardMark } from "../card/card-mark.tsx";
import { t as billingText } from "../words.ts";
import { taxText } from "./invoice-lines.tsx";
import { cardOf, paidBy } from "./say-invoice.ts";
import { t } from "./words.ts";

/** From the lines to the total, and from the total to what is still due. */
export function InvoiceTotals({ invoice: { kind, status, total, tax, document, paid, payments } }: { invoice: InvoiceSheet }) {
  const isSettled = kind === "invoice" && status !== "void";
  return (
    <dl className="ml-auto space-y-2 text-sm tabular-nums sm:w-80">
      {document ? <Before document={document} total={total} /> : null}
      <Sum name={t("invoice.total")} amount={total} className="border-t border-line pt-2 text-base font-semibold" />
      {document?.tax?.inclusive ? (
        <>
          <Sum name={t("invoice.includedTax", { tax: taxText(document.tax) })} amount={document.tax.amount} className="text-ink-soft" />
          <Sum name={t("invoice.net")} amount={document.net} className="text-ink-soft" />
        </>
      ) : null}
      {!document && tax.amount !== 0 ? <Sum name={t("invoice.taxWithin")} amount={tax} className="text-ink-soft" /> : null}
      {isSettled ? (
        <>
          <Paid name={t("invoice.fromCredit")} amount={paid.fromCredit} />
          <Paid name={<PaidWith payments={payments} />} amount={paid.byCard} />
          <Paid name={t("invoice.paidOtherwise")} amount={paid.otherwise} />
          {status === "disputed" ? null : <Sum name={t("invoice.due")} amount={paid.open} className="font-semibold" />}
        </>
      ) : null}
    </dl>
  );
}

/** The card, if there is one; otherwise the kind of payment. */
function PaidWith({ payments }: Pick<InvoiceSheet, "payments">) {
  const card = cardOf(payments);
  if (!card?.brand) return t(`invoice.paidBy.${paidBy(payments)}`);
  const words = billingText("billing.payments.with", {
    brand: billingText(`billing.card.brands.${card.brand}`),
    lastFour: billingText("billing.card.lastFour", { lastFour: card.lastFour ?? "" }),
  });
  return (
    <span className="flex items-baseline gap-2">
      <CardMark brand={card.brand} className="h-5 w-7.5 self-center" />
      {t("invoice.paidWith", { card: words })}
    </span>
  );
}

/** The lines between the subtotal and the total. */
function Before({ document: { subtotal, discount, tax, net }, total }: { document: NonNullable<InvoiceSheet["document"]>; total: Money }) {
  const isAdded = tax !== null && !tax.inclusive;
  const isDifferent = discount.amount !== 0;
  return (
    <>
      {isDifferent || (isAdded && tax.amount.amount !== 0) ? <Sum name={t("invoice.subtotal")} amount={subtotal} /> : null}
      {isDifferent ? (
        <Sum name={t(Math.sign(discount.amount) === Math.sign(total.amount) ? "invoice.rounding" : "invoice.discount")} amount={discount} />
      ) : null}
      {/* The taxable amount, if it differs from the subtotal: article 226 (8) of the VAT directive. */}
      {isAdded && isDifferent ? <Sum name={t("invoice.net")} amount={net} /> : null}
      {isAdded ? <Sum name={taxText(tax)} amount={tax.amount} /> : null}
    </>
  );
}

const Paid = ({ name, amount }: { name: ReactNode; amount: Money }) =>
  amount.amount === 0 ? null : <Sum name={name} amount={{ ...amount, amount: 0 - amount.amount }} className="text-ink-soft" />;

function Sum({ name, amount, className }: { name: ReactNode; amount: Money; className?: string }) {
  return (
    <div className={classNames("flex items-baseline justify-between gap-6", className)}>
      <dt className="min-w-0">{name}</dt>
      <dd className="shrink-0">{formatMoney(amount)}</dd>
    </div>
  );
}
