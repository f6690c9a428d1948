/**
 * Tax ids by Stripe's types, which depend on the country, each in the form that Stripe documents (docs.stripe.com/billing/customer/tax-ids;
 * not verified since).
 */
import type Stripe from "stripe";
import { euCountries } from "#contract/billing/vat-id.ts";

export interface StripeTaxId {
  type: Stripe.CustomerCreateTaxIdParams.Type;
  value: string;
}

const plain = (value: string): string => value.toUpperCase().replaceAll(/[^0-9A-Z]/g, "");
const digits = (value: string): string => value.replaceAll(/\D/g, "");

/** One type per country, and its format. */
const byCountry: Readonly<Record<string, readonly [type: StripeTaxId["type"], write: (value: string) => string]>> = {
  GB: ["gb_vat", (value) => `GB${digits(value)}`],
  CH: [
    "ch_vat",
    (value) => `CHE-${digits(value).replace(/^(\d{3})(\d{3})(\d{3})$/, "$1.$2.$3")} ${/TVA|IVA/.exec(value.toUpperCase())?.[0] ?? "MWST"}`,
  ],
  LI: ["li_vat", digits],
  NO: ["no_vat", (value) => `${digits(value)}MVA`],
  IS: ["is_vat", digits],
  AU: ["au_abn", digits],
  NZ: ["nz_gst", digits],
  US: ["us_ein", (value) => digits(value).replace(/^(\d{2})(\d{7})$/, "$1-$2")],
  CA: ["ca_gst_hst", plain],
  IN: ["in_gst", plain],
  SG: ["sg_gst", plain],
  ZA: ["za_vat", digits],
  AE: ["ae_trn", digits],
  SA: ["sa_vat", digits],
  IL: ["il_vat", digits],
  TR: ["tr_tin", digits],
  UA: ["ua_vat", digits],
  TW: ["tw_vat", digits],
  TH: ["th_vat", digits],
  KE: ["ke_pin", plain],
  CL: ["cl_tin", (value) => plain(value).replace(/^(\d{2})(\d{3})(\d{3})([0-9K])$/, "$1.$2.$3-$4")],
  MX: ["mx_rfc", plain],
};

/**
 * Null for a country that Stripe has no single type for. A number with a prefix of the EU or of Northern Ireland (XI) counts as an
 * EU id wherever its business is.
 */
export function taxIdFor(country: string, vatId: string): StripeTaxId | null {
  const value = plain(vatId);
  const prefix = country === "GR" ? "EL" : country;
  const isPrefixed = value.startsWith("XI") || value.startsWith(prefix);
  if (euCountries.has(country)) return { type: "eu_vat", value: isPrefixed ? value : `${prefix}${value}` };
  if (country === "GB" && value.startsWith("XI")) return { type: "eu_vat", value };
  const known = byCountry[country];
  return known ? { type: known[0], value: known[1](vatId) } : null;
}

/** Ignores separators, which Stripe adds to some ids. */
export const sameTaxId = (one: string, other: string): boolean => plain(one) === plain(other);
