import type { InvoiceSheet } from "#contract/billing/invoice.ts";
import { number } from "../../../lib/formats.ts";
import { said } from "../../../words/sentences.ts";
import { formatMoney } from "../format-price.ts";
import { t } from "./words.ts";

type Document = NonNullable<InvoiceSheet["document"]>;

/** A tax with its rate: `VAT 19%`. */
export const taxText = ({ name, ratePercent }: NonNullable<Document["tax"]>): string =>
  ratePercent === null ? said(name) : t("invoice.rate", { name: said(name), rate: number.format(ratePercent) });

/** What was sold: each line with its quantity and price; on a phone these are below the description. */
export function InvoiceLines({ document: { lines, tax } }: { document: Document }) {
  const column = "py-2 pl-4 text-right font-normal whitespace-nowrap";
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">{t("invoice.lines")}</caption>
      <thead>
        <tr className="border-b border-line text-left text-[0.8125rem] text-ink-soft">
          <th scope="col" className="py-2 font-normal">
            {t("invoice.description")}
          </th>
          <th scope="col" className={`${column} max-sm:hidden`}>
            {t("invoice.quantity")}
          </th>
          <th scope="col" className={`${column} max-sm:hidden`}>
            {t("invoice.unit")}
          </th>
          <th scope="col" className={`${column} max-sm:whitespace-normal`}>
            {t(tax?.inclusive ? "invoice.amountWithTax" : "invoice.amount")}
          </th>
        </tr>
      </thead>
      <tbody className="tabular-nums">
        {lines.map(({ label, quantity, unitAmount, amount, isProration }, index) => (
          // Two lines may have identical words.
          <tr key={`${label}-${index}`} className="border-b border-line align-top">
            <td className="py-3 [overflow-wrap:anywhere]">
              {said(label)}
              {isProration ? <span className="ml-2 text-[0.8125rem] text-ink-soft">{t("invoice.proration")}</span> : null}
              {unitAmount && quantity !== 1 ? (
                <span className="block text-[0.8125rem] text-ink-soft sm:hidden">
                  {t("invoice.times", { quantity: number.format(quantity), unit: formatMoney(unitAmount) })}
                </span>
              ) : null}
            </td>
            <td className="py-3 pl-4 text-right max-sm:hidden">{number.format(quantity)}</td>
            <td className="py-3 pl-4 text-right whitespace-nowrap max-sm:hidden">{unitAmount ? formatMoney(unitAmount) : null}</td>
            <td className="py-3 pl-4 text-right whitespace-nowrap">{formatMoney(amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
