/**
 * Records what the provider charged: each of its invoices becomes one of ours, with our number if we are the
 * seller, each payment a row, and each cancellation or refund a credit note. Repeating it adds only what is new.
 */
import { isErased } from "#domain/accounts/erasure-store.ts";
import type { PaymentProvider, ProviderInvoice } from "#payments/payment-provider.ts";
import type { Clock } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { checkVatIds, type VatAnswers } from "../tax/check-vat-ids.ts";
import { correctInvoice } from "./correct-invoice.ts";
import type { Seller } from "../document/invoice-document.ts";
import * as store from "../invoice-store.ts";
import type { RatesSource } from "../tax/exchange-rates.ts";
import { completeInvoice, issueInvoice } from "./issue-invoice.ts";
import type { VatRegister } from "../tax/vat-register.ts";

export interface InvoiceCopying {
  db: Database;
  clock: Clock;
  provider: PaymentProvider;
  seller: Seller;
  /** Checks whether a VAT id exists; without it only the format of ids is checked. */
  register?: VatRegister | null;
  /** The source of exchange rates; without it tax is shown only in the invoice's currency. */
  rates?: RatesSource | null;
}

/**
 * Copies the account's invoices from the provider; throws the provider's errors. Does nothing before the first
 * purchase. `beside`: a duplicate subscription, possibly of another customer; only its own invoices are copied. What staff sold or
 * invoiced by hand at the provider is theirs: it gets no document and no receipt of ours.
 */
export async function copyInvoices(copying: InvoiceCopying, accountId: string, beside?: { id: string; customerId: string }): Promise<void> {
  const { db, provider } = copying;
  const customer = await store.findCustomer(db, accountId);
  if (customer?.provider !== provider.name && !beside) return;
  const askedAt = await store.databaseTime(db);
  const own = customer?.provider === provider.name ? await provider.listInvoices(customer.customerId, accountId) : [];
  const others =
    beside && beside.customerId !== customer?.customerId
      ? (await provider.listInvoices(beside.customerId, accountId)).filter(({ subscriptionId }) => subscriptionId === beside.id)
      : [];
  const ours = await store.listSoldSubscriptions(db, accountId, provider.name);
  const known = new Set(
    (
      await store.findCopies(
        db,
        provider.name,
        own.map(({ id }) => id),
      )
    ).map(({ providerInvoiceId }) => providerInvoiceId),
  );
  const isOurs = ({ id, subscriptionId }: ProviderInvoice) =>
    known.has(id) || (subscriptionId !== null && (ours.has(subscriptionId) || subscriptionId === beside?.id));
  const theirs = [...own.filter(isOurs), ...others];
  if (theirs.length === 0) return;
  const issuing = { ...copying, vatAnswers: await lookUp(copying, accountId, theirs) };
  await db.transaction(async (tx) => {
    await store.lockInvoices(tx, accountId);
    const copies = await store.findCopies(
      tx,
      provider.name,
      theirs.map(({ id }) => id),
    );
    const byTheirs = new Map(copies.map((copy) => [copy.providerInvoiceId, copy]));
    // Oldest first, so that numbers follow the order of issue.
    for (const invoice of theirs.toSorted((one, other) => one.issuedAt.getTime() - other.issuedAt.getTime())) {
      const copy = byTheirs.get(invoice.id);
      if (copy && !(await store.setInvoiceStatus(tx, copy.id, invoice.status, askedAt))) continue;
      const row = copy ? await completeInvoice(tx, issuing, copy, invoice) : await issueInvoice(tx, issuing, accountId, invoice, askedAt);
      if (!row) continue;
      // The copy may be another account's: of a duplicate subscription, or a customer whom two accounts have.
      await copyPayments(tx, provider.name, { accountId: row.accountId, invoiceId: row.id }, invoice);
      await correctInvoice(tx, copying.clock.now(), row, invoice);
    }
  });
}

/** Looks up outside facts for new documents before the transaction that writes them; asks nothing if there are none. */
async function lookUp(
  { db, clock, provider, register, rates }: InvoiceCopying,
  accountId: string,
  theirs: readonly ProviderInvoice[],
): Promise<VatAnswers> {
  const written = new Set(
    (
      await store.findCopies(
        db,
        provider.name,
        theirs.map(({ id }) => id),
      )
    ).flatMap(({ providerInvoiceId, document }) => (document ? [providerInvoiceId] : [])),
  );
  const fresh = theirs.filter(({ id, status }) => !written.has(id) && status !== "void");
  if (provider.isSeller || fresh.length === 0) return new Map();
  await rates?.refresh(db);
  return register ? checkVatIds({ db, clock, register }, accountId, fresh) : new Map();
}

/** Of an erased account, without what its owner paid with: nothing personal comes back. */
async function copyPayments(
  tx: Connection,
  provider: store.InvoiceRow["provider"],
  of: { accountId: string; invoiceId: string },
  { payments }: ProviderInvoice,
): Promise<void> {
  if (payments.length === 0) return;
  const isGone = await isErased(tx, of.accountId);
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
      brand: isGone ? null : (payment.card?.brand ?? null),
      lastFour: isGone ? null : (payment.card?.lastFour ?? null),
      reason: isGone ? null : payment.reason,
    });
  }
}
