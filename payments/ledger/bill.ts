/** How a sum is made up. */
import type { BillingDetails } from "#contract/billing/billing.ts";
import { say } from "#contract/sentences/say.ts";
import type { ProviderLine, ProviderTax } from "../payment-provider.ts";
import { subtotalOf } from "./items.ts";
import { taxOn, taxRule, withTax } from "./sales-tax.ts";

/** A sum to pay, before it is charged. */
export interface Bill {
  lines: readonly ProviderLine[];
  tax: ProviderTax | null;
  /** Below zero: credit to the customer. */
  total: number;
  creditUsed: number;
  /** What a card is charged: the total less credit, never below zero. */
  due: number;
  creditAfter: number;
}

/** The customer, as far as the ledger knows them. */
export interface Customer {
  /** ISO 4217. */
  currency: string;
  /** Owed to the customer; minor units. */
  credit: number;
  details: Pick<BillingDetails, "country" | "vatId"> | null;
}

interface Payer {
  currency: string;
  credit: number;
  country: string;
  vatId: string;
  taxInclusive: boolean;
}

/** The payer, as far as it affects the sum. Without an address the place is unknown, and no tax applies. */
export const payerOf = (customer: Customer, taxInclusive: boolean): Payer => ({
  currency: customer.currency,
  credit: customer.credit,
  country: customer.details?.country ?? "",
  vatId: customer.details?.vatId ?? "",
  taxInclusive,
});

/** Adds up lines, tax and credit. */
export function makeBill(lines: readonly ProviderLine[], payer: Payer): Bill {
  const subtotal = subtotalOf(lines);
  const tax = lines.length === 0 ? null : taxOn(subtotal, payer.currency, taxRule(payer.country, payer.vatId), payer.taxInclusive);
  const total = withTax(subtotal, tax);
  const creditUsed = Math.max(0, Math.min(payer.credit, total));
  return {
    lines,
    tax,
    total,
    creditUsed,
    due: Math.max(0, total) - creditUsed,
    creditAfter: payer.credit - creditUsed + Math.max(0, -total),
  };
}

/** The line that deducts credit from a sum; none if no credit is used. */
export function creditLines({ creditUsed }: Pick<Bill, "creditUsed">, currency: string): ProviderLine[] {
  return creditUsed === 0
    ? []
    : [{ label: say("accountCredit"), quantity: 1, amount: { amount: -creditUsed, currency }, isProration: false }];
}
