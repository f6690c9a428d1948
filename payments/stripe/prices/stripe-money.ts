/** Converts Stripe's amounts. The only place that knows where Stripe's minor units differ from ISO 4217. */
import { digitsOf } from "#contract/billing/money/currency-digits.ts";
import type { Money } from "#contract/billing/money/money.ts";

/**
 * From docs.stripe.com/currencies, "Zero-decimal currencies" and "Special cases", read 2026-11-22: the Icelandic krona and the
 * Ugandan shilling no longer have decimals, but Stripe counts hundredths; the Malagasy ariary has fifths, but Stripe counts no
 * decimals. Three-decimal amounts end in 0, and those two currencies' in 00, so nothing is lost in conversion.
 */
const stripeDigits: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

/** `currency` in upper case. Fractions of a unit, which Stripe would not charge, are rounded to the nearest unit. */
export function fromStripe(amount: number, currency: string): Money {
  const more = (stripeDigits[currency] ?? digitsOf(currency)) - digitsOf(currency);
  const scaled = more >= 0 ? Math.sign(amount) * Math.round(Math.abs(amount) / 10 ** more) : amount * 10 ** -more;
  return { amount: scaled + 0, currency };
}

export const upper = (currency: string): string => currency.toUpperCase();

/** Like `fromStripe`, for Stripe's lower-case currency codes. */
export const moneyOf = (amount: number, currency: string): Money => fromStripe(amount, upper(currency));
