/** Money as on price tags; invoices use #contract/billing/money/format-money.ts. */
import { formatMoney as formatIn } from "#contract/billing/money/format-money.ts";
import type { Money } from "#contract/billing/money/money.ts";
import { spokenLanguage } from "../../words/spoken.ts";

const locale = (): string => (spokenLanguage.get() === "en" ? "en-US" : spokenLanguage.get());

/** A sum in the reader's language: `$71.40`, `71,40 $`. */
export const formatMoney = (money: Money): string => formatIn(money, { locale: locale() });

/** A price without the zeros of a whole amount: `$60`, `$60.50`. */
export const formatPrice = (money: Money): string => formatIn(money, { locale: locale(), isShort: true });

/** A sum that is charged, with the currency's code, since several share a sign: `$71.40 USD`. */
export function formatCharge(money: Money): string {
  const text = formatMoney(money);
  return text.includes(money.currency) ? text : `${text} ${money.currency}`;
}

/** A currency with its sign, if it has one: `EUR, €`. */
export function currencyLabel(currency: string): string {
  const sign = new Intl.NumberFormat(locale(), { style: "currency", currency, currencyDisplay: "narrowSymbol" })
    .formatToParts(0)
    .find(({ type }) => type === "currency")?.value;
  return sign && sign !== currency ? `${currency}, ${sign}` : currency;
}
