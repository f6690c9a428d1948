/**
 * Writes down what the provider charged: each of its invoices becomes one of ours, with our number where we are the
 * seller, and each of its payments a row. Done again, it adds only what is new.
 */
import { findOwner } from "#domain/accounts/credential-store.ts";
import type { PaymentProvider, ProviderInvoice } from "#domain/billing/payment-provider.ts";
import type { Clock } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { invoiceNumber, isReverseCharge, type Buyer, type InvoiceDocument, type Seller } from "./invoice-document.ts";
import * as store from "./invoice-store.ts";

export interface InvoiceCopying {
  db: Database;
  clock: Clock;
  provider: PaymentProvider;
  seller: Seller;
}

/** Asks the provider for the account's invoices and keeps them; throws what the provider throws. Nothing to ask before the first purchase. */
export async function copyInvoices(copying: InvoiceCopying, accountId: string): Promise<void> {
  const { db, provider } = copying;
  const customer = await store.findCustomer(db, accountId);
  if (customer?.provider !== provider.name) return;
  const theirs = await provider.listInvoices(customer.customerId);
  if (theirs.length === 0) return;
  await db.transaction(async (tx) => {
    await store.lockInvoices(tx, accountId);
    const copies = await store.findCopies(tx, provider.name, theirs.map(({ id }) => id));
    const byTheirs = new Map(copies.map((copy) => [copy.providerInvoiceId, copy]));
    // Oldest first, so that numbers follow the order of issuing.
    for (const invoice of theirs.toSorted((one, other) => one.issuedAt.getTime() - other.issuedAt.getTime())) {
      const copy = byTheirs.get(invoice.id);
      if (copy && copy.status !== invoice.status) await store.setInvoiceStatus(tx, copy.id, invoice.status);
      const id = copy?.id ?? (await issue(tx, copying, accountId, invoice));
      if (id) await copyPayments(tx, provider.name, { accountId, invoiceId: id }, invoice);
    }
  });
}

/** The id of the new invoice; null for what was void before we heard of it. */
async function issue(tx: Connection, { clock, provider, seller }: InvoiceCopying, accountId: string, invoice: ProviderInvoice): Promise<string | null> {
  if (invoice.status === "void") return null;
  const id = newId(clock.now().getTime());
  const { total, tax, lines, issuedAt, status } = invoice;
  const isOurs = !provider.isSeller && total.amount !== 0;
  const document = isOurs ? await writeDocument(tx, seller, accountId, invoice) : null;
  await store.insertInvoice(tx, {
    id,
    accountId,
    provider: provider.name,
    providerInvoiceId: invoice.id,
    number: document?.number ?? (provider.isSeller ? invoice.number : null),
    issuedAt,
    description: lines[0]?.label ?? "",
    currency: total.currency,
    total: total.amount,
    tax: tax?.amount.amount ?? 0,
    status,
    document,
  });
  return id;
}

async function writeDocument(tx: Connection, seller: Seller, accountId: string, { lines, tax, total, issuedAt }: ProviderInvoice): Promise<InvoiceDocument> {
  const buyer = await readBuyer(tx, accountId);
  const year = issuedAt.getUTCFullYear();
  return {
    kind: total.amount < 0 ? "credit-note" : "invoice",
    number: invoiceNumber(year, await store.takeInvoiceNumber(tx, year)),
    issuedAt: issuedAt.toISOString(),
    seller,
    buyer,
    lines: lines.map(({ label, quantity, amount, isProration }) => ({ label, quantity, amount, isProration })),
    tax,
    total,
    reverseCharge: isReverseCharge(seller, buyer, tax),
  };
}

async function readBuyer(tx: Connection, accountId: string): Promise<Buyer> {
  const [owner, details] = await Promise.all([findOwner(tx, accountId), store.readBillingDetails(tx, accountId)]);
  const nothing = { line1: "", line2: "", postalCode: "", city: "", country: "", vatId: "" };
  return { accountName: owner?.accountName ?? "", email: owner?.email ?? "", details: details ?? { name: owner?.fullName ?? "", ...nothing } };
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
