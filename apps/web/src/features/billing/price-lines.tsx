import type { ChangePreview } from "#contract/billing.ts";
import { classNames } from "../../ui/class-names.ts";
import "../../words/add-billing-words.ts";
import { t } from "../../words/words.ts";
import { formatMoney } from "#contract/format-money.ts";

/** Lines as on an invoice: what, how many, for how much. */
export function PriceLines({ lines, tax }: Pick<ChangePreview, "lines" | "tax">) {
  return (
    <dl className="divide-y divide-line text-sm">
      {lines.map((line, index) => (
        // Two lines may be the same in every word.
        <div key={`${line.label}-${index}`} className="flex items-baseline justify-between gap-4 py-2.5">
          <dt className="min-w-0 [overflow-wrap:anywhere]">
            {line.quantity > 1 ? <span className="tabular-nums">{t("plans.confirm.quantity", { quantity: line.quantity })} </span> : null}
            {line.label}
            {line.isProration ? <span className="ml-2 text-[0.8125rem] text-ink-soft">{t("plans.confirm.proration")}</span> : null}
          </dt>
          <dd className={classNames("shrink-0 tabular-nums", line.amount.amount < 0 && "text-success")}>{formatMoney(line.amount)}</dd>
        </div>
      ))}
      {tax ? (
        <div className="flex items-baseline justify-between gap-4 py-2.5 text-ink-soft">
          <dt>{t(tax.inclusive ? "plans.confirm.taxInclusive" : "plans.confirm.tax", { name: tax.name, rate: tax.ratePercent })}</dt>
          <dd className="shrink-0 tabular-nums">{formatMoney(tax.amount)}</dd>
        </div>
      ) : null}
    </dl>
  );
}
