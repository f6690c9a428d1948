/**
 * The tax on a sale. Standard rates of 2026 for the seller's likely customers; real providers cover the whole world. The place is the
 * customer's country. A business in another EU country with a VAT id owes the tax itself.
 */
import { say } from "#contract/sentences/say.ts";
import { isVatIdOf, writeVatId } from "#contract/billing/vat-id.ts";
import type { ProviderTax } from "../payment-provider.ts";
import { proportion } from "./money-math.ts";

/** Tenths of a percent: 81 is Switzerland's 8.1 %. */
const permilles: Readonly<Record<string, number>> = {
  AT: 200,
  BE: 210,
  BG: 200,
  CY: 190,
  CZ: 210,
  DE: 190,
  DK: 250,
  EE: 240,
  ES: 210,
  FI: 255,
  FR: 200,
  GR: 240,
  HR: 250,
  HU: 270,
  IE: 230,
  IT: 220,
  LT: 210,
  LU: 170,
  LV: 210,
  MT: 180,
  NL: 210,
  PL: 230,
  PT: 230,
  RO: 210,
  SE: 250,
  SI: 220,
  SK: 230,
  GB: 200,
  CH: 81,
  NO: 250,
};
const outsideUnion = new Set(["GB", "CH", "NO"]);
const sellerCountry = "DE";

/** Whether businesses in the country can enter a VAT id. */
export const bearsVatId = (country: string): boolean => permilles[country] !== undefined && !outsideUnion.has(country);

interface TaxRule {
  name: string;
  permille: number;
}

/** The rule for a place; null where no tax is due, such as in the United States. `vatId` counts if it is valid for its country. */
export function taxRule(country: string, vatId: string): TaxRule | null {
  const permille = permilles[country];
  if (permille === undefined) return null;
  const isBusiness = bearsVatId(country) && country !== sellerCountry && isVatIdOf(country, writeVatId(vatId));
  return isBusiness ? { name: say("vatReverseCharge"), permille: 0 } : { name: say("vat"), permille };
}

/** The tax on lines that add up to `subtotal`: included in it if prices are inclusive, otherwise added to it. Rounded once, on the sum. */
export function taxOn(subtotal: number, currency: string, rule: TaxRule | null, inclusive: boolean): ProviderTax | null {
  if (!rule) return null;
  const amount = proportion(subtotal, rule.permille, inclusive ? 1000 + rule.permille : 1000);
  return { name: rule.name, ratePercent: rule.permille / 10, amount: { amount, currency }, inclusive };
}

/** The total to pay for lines that add up to `subtotal`. */
export const withTax = (subtotal: number, tax: ProviderTax | null): number => subtotal + (tax && !tax.inclusive ? tax.amount.amount : 0);
