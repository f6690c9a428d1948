/**
 * Which invoices must name the buyer's full address: article 226 (5) of the VAT directive 2006/112/EC asks for it, and §33 of Germany's
 * UStDV, after article 238 of the directive, leaves it out up to 250 EUR with tax.
 */
import { digitsOf } from "./money/currency-digits.ts";
import type { Money } from "./money/money.ts";

/** Below 250 EUR in every currency in which plans are sold: a pound has stayed below 1.25 EUR since 2016. */
const leastOfOthers = 200;

/** `total` with tax. */
export const needsAddress = ({ amount, currency }: Money): boolean =>
  amount > (currency === "EUR" ? 250 : leastOfOthers) * 10 ** digitsOf(currency);
