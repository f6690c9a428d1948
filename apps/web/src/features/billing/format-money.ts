/** Money for people: minor units in, the currency's own digits and sign out. */
import type { Money } from "#contract/money.ts";

/** How many digits stand after the point: 2 for most currencies, 0 for yen, 3 for dinars. */
const fractionDigits = (currency: string): number => new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** An amount as on an invoice: `$60.00`, `-€4.20`, `¥900`. */
export function formatMoney({ amount, currency }: Money): string {
  return new Intl.NumberFormat("en", { style: "currency", currency }).format(amount / 10 ** fractionDigits(currency));
}

/** A price as on a price tag: whole amounts without their zeros. */
export function formatPrice({ amount, currency }: Money): string {
  return new Intl.NumberFormat("en", { style: "currency", currency, trailingZeroDisplay: "stripIfInteger" }).format(amount / 10 ** fractionDigits(currency));
}

/** A name for a currency that people know: `USD, $`. */
export function currencyLabel(currency: string): string {
  const sign = new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: "narrowSymbol" })
    .formatToParts(0)
    .find(({ type }) => type === "currency")?.value;
  return sign && sign !== currency ? `${currency}, ${sign}` : currency;
}
