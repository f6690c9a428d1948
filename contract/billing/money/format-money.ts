/** Formats money for people. The number of decimals depends on the currency: a yen has none, a dinar three. */
import { digitsOf } from "./currency-digits.ts";
import type { Money } from "./money.ts";

/**
 * Such as `$24.00`, `-€5.50`, `¥2,400`, in German `24,00 $`; an unknown currency is written by its three letters, with two decimals.
 * `isShort` leaves out the zeros of a whole amount.
 */
export function formatMoney({ amount, currency }: Money, { locale = "en-US", isShort = false } = {}): string {
  const decimals = digitsOf(currency);
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    trailingZeroDisplay: isShort ? "stripIfInteger" : "auto",
  });
  // As text, so that no amount passes through a float.
  const digits = String(Math.abs(amount)).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const value = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
  return format.format(`${amount < 0 ? "-" : ""}${value}` as Intl.StringNumericLiteral);
}
