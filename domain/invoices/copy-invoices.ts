/**
 * Writes down what the provider charged: each of its invoices becomes one of ours, with our number where we are the
 * seller, each of its payments a row, and what was cancelled or given back a credit note. Done again, it adds only what is new.
 */
import type { PaymentProvider, ProviderInvoice } from "#domain/billing/payment-provider.ts";
import type { Clock } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { correctInvoice } from "./correct-invoice.ts";
import type { Seller } from "./invoice-document.ts";
import * as store from "./invoice-store.ts";
import { issueInvoice } from "./issue-invoice.ts";

export interface InvoiceCopying {
  db: Database;
  clock: Clock;
  provider: PaymentProvider;
  seller: Seller;
}

/**
 * Asks the provider for the account's invoices and keeps them; throws what the provider throws. Nothing to ask before the first
 * purchase. `beside`: a subscription that was paid twice, maybe as another customer; of that one's invoices only its own.
 */
export async function copyInvoices(copying: InvoiceCopying, accountId: string, beside?: { id: string; customerId: string }): Promise<void> {
  const { db, provider } = copying;
  const customer = await store.findCustomer(db, accountId);
  if (customer?.provider !== provider.name && !beside) return;
  const askedAt = await store.databaseTime(db);
  const own = customer?.provider === provider.name ? await provider.listInvoices(customer.customerId, accountId) : [];
  const others = beside && beside.customerId !== customer?.customerId ? (await provider.listInvoices(beside.customerId, accountId)).filter(({ subscriptionId }) => subscriptionId === beside.id) : [];
  const theirs = [...own, ...others];
  if (theirs.length === 0) return;
  await db.transaction(async (tx) => {
    await store.lockInvoices(tx, accountId);
    const copies = await store.findCopies(tx, provider.name, theirs.map(({ id }) => id));
    const byTheirs = new Map(copies.map((copy) => [copy.providerInvoiceId, copy]));
    // Oldest first, so that numbers follow the order of issuing.
    for (const invoice of theirs.toSorted((one, other) => one.issuedAt.getTime() - other.issuedAt.getTime())) {
      const copy = byTheirs.get(invoice.id);
      if (copy && !(await store.setInvoiceStatus(tx, copy.id, invoice.status, askedAt))) continue;
      const row = copy ?? (await issueInvoice(tx, copying, accountId, invoice, askedAt));
      if (!row) continue;
      await copyPayments(tx, provider.name, { accountId, invoiceId: row.id }, invoice);
      await correctInvoice(tx, copying.clock.now(), row, invoice);
    }
  });
}

async function copyPayments(tx: Connection, provider: store.InvoiceRow["provider"], of: { accountId: string; invoiceId: string }, { payments }: ProviderInvoice): Promise<void> {
  for (const payment of payments) {
    await store.savePayment(tx, {
      ...of,
      id: newId(payment.at.getTime()),
      provider,
      providerPaymentId: payment.id,
      at: payment.at,
      currency: payment.amount.currency,
      amount: payment.amount.amount,
      status: payment.status,
      brand: payment.card?.brand ?? null,
      lastFour: payment.card?.lastFour ?? null,
      reason: payment.reason,
    });
  }
}
