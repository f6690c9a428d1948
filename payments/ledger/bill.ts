/** How a sum is made up. */
import type { BillingDetails } from "#contract/billing/billing.ts";
import { say } from "#contract/sentences/say.ts";
import type { ProviderLine, ProviderTax } from "../payment-provider.ts";
import { sum } from "./money-math.ts";
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

interface Sums extends Omit<Bill, "lines"> {
  /** What `percentOff` takes off, before tax. */
  discount: number;
}

/**
 * Adds up the amounts of lines, tax and credit. `percentOff`: a coupon's. A provider that charges no less than `leastCharge` carries a
 * smaller sum over to the next bill, as credit below zero.
 */
export function addUp(amounts: readonly number[], payer: Payer & { percentOff?: number | undefined; leastCharge?: number }): Sums {
  const { currency, country, vatId, taxInclusive, credit, percentOff = 0, leastCharge = 0 } = payer;
  const whole = sum(amounts);
  const discount = Math.round((Math.max(0, whole) * percentOff) / 100);
  const subtotal = whole - discount;
  const tax = amounts.length === 0 ? null : taxOn(subtotal, currency, taxRule(country, vatId), taxInclusive);
  const total = withTax(subtotal, tax);
  const owed = total - credit;
  const due = owed < leastCharge ? 0 : Math.max(0, owed);
  return { discount, tax, total, due, creditUsed: Math.max(0, Math.min(credit, total)), creditAfter: due - owed + 0 };
}

/** Adds up lines, tax and credit. */
export function makeBill(lines: readonly ProviderLine[], payer: Payer): Bill {
  const { discount: _none, ...sums } = addUp(
    lines.map(({ amount }) => amount.amount),
    payer,
  );
  return { lines, ...sums };
}

/** The line that deducts credit from a sum; none if no credit is used. */
export function creditLines({ creditUsed }: Pick<Bill, "creditUsed">, currency: string): ProviderLine[] {
  return creditUsed === 0
    ? []
    : [{ label: say("accountCredit"), quantity: 1, amount: { amount: -creditUsed, currency }, isProration: false }];
}
