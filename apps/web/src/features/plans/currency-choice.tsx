import { useId } from "react";
import { currencyLabel } from "../billing/format-price.ts";
import { inputClass } from "../../ui/form/field-frame.tsx";
import { t } from "../billing/words.ts";

/** The currency in which prices are shown and paid; nothing if there is only one. */
export function CurrencyChoice({
  currencies,
  value,
  onChange,
}: {
  currencies: readonly string[];
  value: string;
  onChange: (currency: string) => void;
}) {
  const id = useId();
  if (currencies.length < 2) return null;
  return (
    <div className="flex items-center gap-2 text-sm">
      <label htmlFor={id} className="text-ink-soft">
        {t("plans.currency")}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`${inputClass} w-auto border-line-strong pr-8`}
      >
        {currencies.map((currency) => (
          <option key={currency} value={currency}>
            {currencyLabel(currency)}
          </option>
        ))}
      </select>
    </div>
  );
}
