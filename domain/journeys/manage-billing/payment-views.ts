/** Shapes invoices, payments and cards for the contract. */
import type { z } from "zod";
import { cardBrand, type payment, type paymentInformation, type transaction } from "#contract/billing/billing.ts";
import { cardEndsAt } from "#domain/cards/card-store.ts";
import type { ProviderCard } from "#payments/payment-provider.ts";
import type { InvoiceRow, PaymentRow } from "#domain/invoices/invoice-store.ts";

/** `hasInvoice`: true if there is a document of ours or a number of the seller's, and so something to print. */
export function transactionView(row: InvoiceRow): z.infer<typeof transaction> {
  const { id, number, issuedAt, description, currency, total, tax, status, document, corrects } = row;
  const kind = total < 0 ? "credit-note" : corrects ? "debit-note" : "invoice";
  return {
    id,
    number,
    at: issuedAt.toISOString(),
    description,
    total: { amount: total, currency },
    tax: { amount: tax, currency },
    status,
    kind,
    hasInvoice: total !== 0 && (document !== null || number !== null),
  };
}

export function paymentView({ id, invoiceId, at, amount, currency, status, brand, lastFour, reason }: PaymentRow): z.infer<typeof payment> {
  return {
    id,
    transactionId: invoiceId,
    at: at.toISOString(),
    amount: { amount, currency },
    status,
    brand: cardBrand.nullable().catch("generic").parse(brand),
    lastFour,
    reason,
  };
}

/** A card is valid until the end of its printed month. */
export function cardView(card: ProviderCard, now: Date): z.infer<typeof paymentInformation> {
  const endsAt = cardEndsAt(card);
  return { ...card, expired: endsAt !== null && now >= endsAt };
}
