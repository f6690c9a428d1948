/** Stripe's amounts as ours. The one place that knows where its minor units are not those of ISO 4217. */
import { digitsOf } from "#contract/billing/currency-digits.ts";
import type { Money } from "#contract/billing/money.ts";

/**
 * docs.stripe.com/currencies, "Zero-decimal currencies" and "Special cases", read 2026-11-22: the krona of Iceland and the
 * shilling of Uganda have no decimals any more, and Stripe counts hundredths all the same; of the ariary of Madagascar, which
 * has fifths, it counts none. Amounts of three digits end in 0, and those two in 00, so that nothing is lost on the way.
 */
const stripeDigits: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

/** `currency` in upper case. What Stripe itself would not charge, a part of a unit, is rounded to the nearest. */
export function fromStripe(amount: number, currency: string): Money {
  const more = (stripeDigits[currency] ?? digitsOf(currency)) - digitsOf(currency);
  const scaled = more >= 0 ? Math.sign(amount) * Math.round(Math.abs(amount) / 10 ** more) : amount * 10 ** -more;
  return { amount: scaled + 0, currency };
}

export const upper = (currency: string): string => currency.toUpperCase();

/** The same, in Stripe's lower-case spelling of the currency. */
export const moneyOf = (amount: number, currency: string): Money => fromStripe(amount, upper(currency));
