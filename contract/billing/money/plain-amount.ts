import { digitsOf } from "./currency-digits.ts";
import type { Money } from "./money.ts";

/** An amount without its currency and without separators, with as many decimals as the currency has: `142.80`, of yen `2400`. */
export function plainAmount({ amount, currency }: Money): string {
  const digits = digitsOf(currency);
  return (amount / 10 ** digits).toFixed(digits);
}
