/**
 * The formats of the tax id types used in tests; other formats and types are refused
 * (docs.stripe.com/billing/customer/tax-ids, not read again).
 */
import { invalid } from "../wire/stripe-error.ts";

const forms: Readonly<Record<string, RegExp>> = {
  eu_vat: /^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI)[0-9A-Z]{2,12}$/,
  gb_vat: /^GB(\d{9}|\d{12})$/,
  ch_vat: /^CHE-\d{3}\.\d{3}\.\d{3} (MWST|TVA|IVA)$/,
  no_vat: /^\d{9}MVA$/,
  au_abn: /^\d{11}$/,
  us_ein: /^\d{2}-\d{7}$/,
};

export function refuseTaxId(type: string, value: string): void {
  const form = forms[type];
  if (!form) throw invalid(`Invalid type: must be one of ${Object.keys(forms).join(", ")}`);
  if (!form.test(value)) throw invalid(`Invalid value for ${type}.`, "tax_id_invalid");
}
