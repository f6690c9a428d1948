/** What an invoice says, decided when it is issued: a later change of address, seller or plan changes no invoice. */
import type { BillingDetails } from "#contract/billing/billing.ts";
import type { Money } from "#contract/billing/money.ts";
import { euCountries } from "#contract/billing/vat-id.ts";

/** Who sells: from the settings, copied into each invoice. */
export interface Seller {
  name: string;
  /** Lines of the postal address. */
  address: readonly string[];
  /** ISO 3166-1 alpha-2; empty: nobody said. */
  country: string;
  vatId: string;
  email: string;
}

/** Who buys; without details of their own the name and e-mail address of the account's owner. */
export interface Buyer {
  accountName: string;
  email: string;
  details: BillingDetails;
}

export interface InvoiceDocument {
  /** `credit-note`: the customer is given back. `debit-note`: a credit note is withdrawn, as its refund failed; nothing is due by it. */
  kind: "invoice" | "credit-note" | "debit-note";
  number: string;
  issuedAt: string;
  /** What it is for, such as `Upgrade to Pro`; this and what is optional below is missing in documents of former times. */
  subject?: string;
  /** The time that is paid for, the end not included; null: the provider did not say. */
  servicePeriod?: { from: string; to: string } | null;
  /** Number of the invoice that a credit note corrects, or several, or of the credit note that a debit note withdraws; article 219 of the VAT directive: it has to name it. */
  corrects?: string | null;
  /** Why we wrote a correction of our own: the invoice was cancelled, money of it was given back, or that failed. */
  because?: "cancelled" | "refunded" | "refund-failed";
  /** The part of the total that was taken from the customer's credit. */
  creditUsed?: Money;
  seller: Seller;
  buyer: Buyer;
  lines: readonly { label: string; quantity: number; amount: Money; isProration: boolean }[];
  tax: { name: string; ratePercent: number | null; amount: Money; inclusive: boolean } | null;
  total: Money;
  /** The tax in the currency of the seller's country, where that is another one. */
  taxInSellerCurrency?: { amount: Money; rate: string; day: string } | null;
  /** The buyer owes the tax: a business in another country of the EU. */
  reverseCharge: boolean;
  /** What the register of VAT ids had said of the buyer's when this was written; null: nothing. Missing where it is not asked. */
  vatCheck?: { valid: boolean; checkedAt: string; reference: string } | null;
}

/** Article 196 of the VAT directive: seller and buyer are businesses in different countries of the EU, and no tax was charged. */
export function isReverseCharge(seller: Seller, buyer: Buyer, tax: InvoiceDocument["tax"]): boolean {
  const { country, vatId } = buyer.details;
  const areBusinesses = seller.vatId !== "" && vatId !== "";
  const crossBorder = euCountries.has(seller.country) && euCountries.has(country) && seller.country !== country;
  return areBusinesses && crossBorder && (tax?.amount.amount ?? 0) === 0;
}

/** `2026-000123`: by the year of issuing in UTC, from 1, none missing. */
export const invoiceNumber = (year: number, count: number): string => `${year}-${String(count).padStart(6, "0")}`;
