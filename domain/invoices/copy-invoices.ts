/**
 * Writes down what the provider charged: each of its invoices becomes one of ours, with our number where we are the
 * seller, and each of its payments a row. Done again, it adds only what is new.
 */
import { isDeepStrictEqual } from "node:util";
import type { BillingDetails } from "#contract/billing.ts";
import { writeAudit } from "#domain/accounts/audit-store.ts";
import { findOwner } from "#domain/accounts/credential-store.ts";
import type { PaymentProvider, ProviderInvoice } from "#domain/billing/payment-provider.ts";
import { readPlans } from "#domain/billing/plan-facts-store.ts";
import type { Clock } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { describeInvoice, servicePeriodOf } from "./describe-invoice.ts";
import { invoiceNumber, isReverseCharge, type Buyer, type InvoiceDocument, type Seller } from "./invoice-document.ts";
import * as store from "./invoice-store.ts";

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
  const own = customer?.provider === provider.name ? await provider.listInvoices(customer.customerId) : [];
  const others = beside && beside.customerId !== customer?.customerId ? (await provider.listInvoices(beside.customerId)).filter(({ subscriptionId }) => subscriptionId === beside.id) : [];
  const theirs = [...own, ...others];
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
  await keepDetails(tx, clock.now(), accountId, invoice);
  const description = describeInvoice(lines, await readPlans(tx));
  const isOurs = !provider.isSeller && total.amount !== 0;
  const document = isOurs ? await writeDocument(tx, seller, accountId, description, invoice) : null;
  await store.insertInvoice(tx, {
    id,
    accountId,
    provider: provider.name,
    providerInvoiceId: invoice.id,
    number: document?.number ?? (provider.isSeller ? invoice.number : null),
    issuedAt,
    description,
    currency: total.currency,
    total: total.amount,
    tax: tax?.amount.amount ?? 0,
    status,
    document,
    corrects: null,
  });
  return id;
}

async function writeDocument(tx: Connection, seller: Seller, accountId: string, subject: string, { lines, tax, total, creditUsed, issuedAt }: ProviderInvoice): Promise<InvoiceDocument> {
  const buyer = await readBuyer(tx, accountId);
  const year = issuedAt.getUTCFullYear();
  const isCreditNote = total.amount < 0;
  return {
    kind: isCreditNote ? "credit-note" : "invoice",
    subject,
    servicePeriod: servicePeriodOf(lines),
    corrects: isCreditNote ? await store.findInvoiceBefore(tx, accountId, issuedAt) : null,
    creditUsed,
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

/**
 * What was given at the provider's checkout is what the tax was reckoned by: it is kept for this invoice and those after it,
 * unless the customer has said something else here since.
 */
async function keepDetails(tx: Connection, now: Date, accountId: string, { buyer, issuedAt }: ProviderInvoice): Promise<void> {
  if (!buyer?.country) return;
  const changedAt = await store.readDetailsChangedAt(tx, accountId);
  if (changedAt && changedAt > issuedAt) return;
  const before = await store.readBillingDetails(tx, accountId);
  const owner = await findOwner(tx, accountId);
  const given = Object.fromEntries(Object.entries(buyer).filter(([, value]) => value !== "")) as Partial<BillingDetails>;
  // A street of one country is none of another; the name on a card is no company's.
  const kept = before?.country === buyer.country ? before : null;
  const details = { ...noDetails, ...kept, ...given, name: before?.name || given.name || (owner?.fullName ?? "") };
  if (before && isDeepStrictEqual(before, details)) return;
  await store.saveBillingDetails(tx, accountId, details, now);
  await writeAudit(tx, { accountId, userId: null, action: "billing_details.changed", before, after: details }, now);
}

const noDetails: BillingDetails = { name: "", line1: "", line2: "", postalCode: "", city: "", country: "", vatId: "" };

async function readBuyer(tx: Connection, accountId: string): Promise<Buyer> {
  const owner = await findOwner(tx, accountId);
  const details = await store.readBillingDetails(tx, accountId);
  return { accountName: owner?.accountName ?? "", email: owner?.email ?? "", details: details ?? { ...noDetails, name: owner?.fullName ?? "" } };
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
