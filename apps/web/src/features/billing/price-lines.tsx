import type { ChangePreview } from "#contract/billing/billing.ts";
import type { Money } from "#contract/billing/money/money.ts";
import { classNames } from "../../ui/class-names.ts";
import { t } from "./words.ts";
import { formatMoney } from "./format-price.ts";
import { said } from "../../words/sentences.ts";

interface PriceLinesProps extends Pick<ChangePreview, "lines" | "tax"> {
  /** Given instead of `tax` if only its sum is known: whether it is added to the lines or included in them. */
  taxSum?: { amount: Money; isInside: boolean };
}

/** Lines as on an invoice: item, quantity and price. */
export function PriceLines({ lines, tax, taxSum }: PriceLinesProps) {
  return (
    <dl className="divide-y divide-line text-sm">
      {lines.map((line, index) => (
        // Two lines may have identical words.
        <div key={`${line.label}-${index}`} className="flex items-baseline justify-between gap-4 py-2.5">
          <dt className="min-w-0 [overflow-wrap:anywhere]">
            {line.quantity > 1 ? <span className="tabular-nums">{t("plans.confirm.quantity", { quantity: line.quantity })} </span> : null}
            {said(line.label)}
            {line.isProration ? <span className="ml-2 text-[0.8125rem] text-ink-soft">{t("plans.confirm.proration")}</span> : null}
          </dt>
          <dd className={classNames("shrink-0 tabular-nums", line.amount.amount < 0 && "text-success")}>{formatMoney(line.amount)}</dd>
        </div>
      ))}
      {tax ? (
        <TaxLine
          name={t(tax.inclusive ? "plans.confirm.taxInclusive" : "plans.confirm.tax", {
            tax: tax.ratePercent === null ? said(tax.name) : t("plans.confirm.taxRate", { name: said(tax.name), rate: tax.ratePercent }),
          })}
          amount={tax.amount}
        />
      ) : null}
      {taxSum ? <TaxLine name={t(taxSum.isInside ? "billing.next.taxWithin" : "billing.next.salesTax")} amount={taxSum.amount} /> : null}
    </dl>
  );
}

function TaxLine({ name, amount }: { name: string; amount: Money }) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-2.5 text-ink-soft">
      <dt>{name}</dt>
      <dd className="shrink-0 tabular-nums">{formatMoney(amount)}</dd>
    </div>
  );
}
