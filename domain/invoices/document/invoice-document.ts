/** The contents of an invoice, fixed when it is issued: later changes of address, seller or plan do not affect it. */
import type { Language } from "#contract/accounts/language.ts";
import type { BillingDetails } from "#contract/billing/billing.ts";
import type { Money } from "#contract/billing/money/money.ts";
import { euCountries } from "#contract/billing/vat-id.ts";

/** The seller: from the settings, copied into each invoice. */
export interface Seller {
  name: string;
  /** Lines of the postal address. */
  address: readonly string[];
  /** ISO 3166-1 alpha-2; empty if not set. */
  country: string;
  vatId: string;
  email: string;
}

/** The buyer; without billing details, the name and email address of the account's owner. */
export interface Buyer {
  accountName: string;
  email: string;
  details: BillingDetails;
}

export interface InvoiceDocument {
  /** `credit-note`: the customer gets money back. `debit-note`: withdraws a credit note whose refund failed; nothing is due on it. */
  kind: "invoice" | "credit-note" | "debit-note";
  number: string;
  issuedAt: string;
  /** The language it is printed in, its owner's at its issue; absent: English. Sentences in it are kept in English, as everywhere. */
  language?: Exclude<Language, "en">;
  /** What it is for, such as `Upgrade to Pro`. Old documents lack this and the other optional members. */
  subject?: string;
  /** The time that is paid for, end exclusive; null if the provider did not say. */
  servicePeriod?: { from: string; to: string } | null;
  /**
   * The number, or numbers, of the invoices that a credit note corrects, or of the credit note that a debit note withdraws. Required by
   * Article 219 of the VAT directive.
   */
  corrects?: string | null;
  /** Why we wrote the correction: the invoice was cancelled, money was refunded, or a refund failed. */
  because?: "cancelled" | "refunded" | "refund-failed";
  /** The part of the total paid from the customer's credit. */
  creditUsed?: Money;
  seller: Seller;
  buyer: Buyer;
  lines: readonly { label: string; quantity: number; amount: Money; isProration: boolean }[];
  tax: { name: string; ratePercent: number | null; amount: Money; inclusive: boolean } | null;
  total: Money;
  /** The tax in the currency of the seller's country, if that differs. */
  taxInSellerCurrency?: { amount: Money; rate: string; day: string } | null;
  /** The buyer owes the tax: a business in another EU country. */
  reverseCharge: boolean;
  /** What the VAT register said about the buyer's id when this was written; null: nothing. Absent if the register is not used. */
  vatCheck?: { valid: boolean; checkedAt: string; reference: string } | null;
}

/** Article 196 of the VAT directive: seller and buyer are businesses in different EU countries, and no tax was charged. */
export function isReverseCharge(seller: Seller, buyer: Buyer, tax: InvoiceDocument["tax"]): boolean {
  const { country, vatId } = buyer.details;
  const areBusinesses = seller.vatId !== "" && vatId !== "";
  const crossBorder = euCountries.has(seller.country) && euCountries.has(country) && seller.country !== country;
  return areBusinesses && crossBorder && (tax?.amount.amount ?? 0) === 0;
}

export type NumberSeries = "live" | "test" | "sandbox";

/** `2026-000123`: by the year of issue in UTC, starting at 1, without gaps; `TEST-2026-000123` with a provider's test keys. */
export const invoiceNumber = (series: NumberSeries, year: number, count: number): string =>
  `${series === "test" ? "TEST-" : ""}${year}-${String(count).padStart(6, "0")}`;

/** The year and the count of a number made by `invoiceNumber`; null for any other text. */
export function placeOfNumber(number: string): [year: number, count: number] | null {
  const [, year, count] = /^(?:TEST-)?(\d{4})-(\d{6,9})$/.exec(number) ?? [];
  return year && count ? [Number(year), Number(count)] : null;
}
