/** The SQL of invoices and payments. An invoice is written once; afterwards only its status follows the provider. */
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, sql, type SQL } from "drizzle-orm";
import { billingDetails, invoiceNumbers, invoices, payments, subscriptions } from "#database/tables.ts";
import type { BillingDetails } from "#contract/billing/billing.ts";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Connection } from "#platform/database.ts";
import type { InvoiceDocument } from "./document/invoice-document.ts";
import type { VatAnswer } from "./tax/vat-register.ts";

export type InvoiceRow = typeof invoices.$inferSelect;
export type PaymentRow = typeof payments.$inferSelect;

/** Makes whoever copies the same account's invoices wait for the end of the transaction. */
export async function lockInvoices(db: Connection, accountId: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`invoices ${accountId}`}, 0))`);
}

/**
 * The next number of the year, without gaps: whoever rolls back gives it back, everybody else waits meanwhile. A transaction may need
 * numbers of several years, in any order. One lock for all years is taken first, so two of them never wait for each other.
 */
export async function takeInvoiceNumber(db: Connection, year: number): Promise<number> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended('invoice numbers', 0))`);
  const [taken] = await db
    .insert(invoiceNumbers)
    .values({ year, issued: 1 })
    .onConflictDoUpdate({ target: invoiceNumbers.year, set: { issued: sql`${invoiceNumbers.issued} + 1` } })
    .returning({ issued: invoiceNumbers.issued });
  return taken!.issued;
}

/** Whoever takes the account's money, and as whom it knows the account; null before the first purchase. */
export async function findCustomer(
  db: Connection,
  accountId: string,
): Promise<{ provider: InvoiceRow["provider"]; customerId: string } | null> {
  const [row] = await db
    .select({ provider: subscriptions.provider, customerId: subscriptions.providerCustomerId })
    .from(subscriptions)
    .where(eq(subscriptions.accountId, accountId))
    .limit(1);
  if (!row?.customerId) return null;
  const provider = row.provider ?? (await lastProvider(db, accountId));
  return provider ? { provider, customerId: row.customerId } : null;
}

/** Who charged the account last; for one whose plan is given by hand now. */
async function lastProvider(db: Connection, accountId: string): Promise<InvoiceRow["provider"] | null> {
  const [newest] = await db
    .select({ provider: invoices.provider })
    .from(invoices)
    .where(eq(invoices.accountId, accountId))
    .orderBy(desc(invoices.issuedAt))
    .limit(1);
  return newest?.provider ?? null;
}

/** Those of these invoices of the provider's that we have. */
export async function findCopies(db: Connection, provider: InvoiceRow["provider"], providerIds: readonly string[]): Promise<InvoiceRow[]> {
  if (providerIds.length === 0) return [];
  return db
    .select()
    .from(invoices)
    .where(and(eq(invoices.provider, provider), inArray(invoices.providerInvoiceId, [...providerIds])));
}

export async function insertInvoice(
  db: Connection,
  row: Omit<InvoiceRow, "receiptQueuedAt" | "seenAt"> & { seenAt: SQL<Date> | Date | null },
): Promise<InvoiceRow> {
  return (await db.insert(invoices).values(row).returning())[0]!;
}

/** The database's own time, which all processes share and nobody moves: to tell which of two questions was asked first. As SQL, since a Date has no microseconds, and two questions come within a millisecond. */
export async function databaseTime(db: Connection): Promise<SQL<Date>> {
  const { rows } = await db.execute(sql`select clock_timestamp()::text as now`);
  return sql<Date>`${(rows[0] as { now: string }).now}::timestamptz`;
}

/**
 * What the provider said of an invoice when it was asked at `askedAt`; false where a later answer is known already. One that was
 * settled is never open again.
 */
export async function setInvoiceStatus(db: Connection, id: string, status: InvoiceRow["status"], askedAt: SQL<Date>): Promise<boolean> {
  const written = await db
    .update(invoices)
    .set({ seenAt: askedAt, ...(status === "open" ? {} : { status }) })
    .where(and(eq(invoices.id, id), or(isNull(invoices.seenAt), lte(invoices.seenAt, askedAt))))
    .returning({ id: invoices.id });
  return written.length > 0;
}

/** Writes a payment, or what became of one. Money that was received has not failed since, whatever an older list says. */
export async function savePayment(db: Connection, row: PaymentRow): Promise<void> {
  const { status, reason, brand, lastFour } = row;
  await db
    .insert(payments)
    .values(row)
    .onConflictDoUpdate({
      target: [payments.provider, payments.providerPaymentId],
      set: { status, reason, brand, lastFour },
      setWhere: sql`not (${payments.status} in ('succeeded', 'refunded') and excluded.status in ('failed', 'pending'))`,
    });
}

/** Newest first. */
export async function listInvoices(db: Connection, accountId: string): Promise<InvoiceRow[]> {
  return db
    .select()
    .from(invoices)
    .where(eq(invoices.accountId, accountId))
    .orderBy(desc(invoices.issuedAt), desc(invoices.number), desc(invoices.id));
}

/** Newest first. */
export async function listPayments(db: Connection, accountId: string): Promise<PaymentRow[]> {
  return db.select().from(payments).where(eq(payments.accountId, accountId)).orderBy(desc(payments.at), desc(payments.id));
}

/** The account's own invoice of this id; nobody else's. */
export async function findInvoice(db: Connection, accountId: string, id: string): Promise<InvoiceRow | null> {
  const [row] = await db
    .select()
    .from(invoices)
    .where(and(eq(invoices.accountId, accountId), eq(invoices.id, id)))
    .limit(1);
  return row ?? null;
}

/** The number of the account's newest invoice that was issued before `before` and charged something; null: there is none. */
export async function findInvoiceBefore(db: Connection, accountId: string, before: Date): Promise<string | null> {
  const [row] = await db
    .select({ number: invoices.number })
    .from(invoices)
    .where(
      and(
        eq(invoices.accountId, accountId),
        gt(invoices.total, 0),
        isNull(invoices.corrects),
        isNotNull(invoices.number),
        lte(invoices.issuedAt, before),
      ),
    )
    .orderBy(desc(invoices.issuedAt), desc(invoices.id))
    .limit(1);
  return row?.number ?? null;
}

/** When the account's details were last changed; null: there are none. */
export async function readDetailsChangedAt(db: Connection, accountId: string): Promise<Date | null> {
  const [row] = await db
    .select({ changedAt: billingDetails.changedAt })
    .from(billingDetails)
    .where(eq(billingDetails.accountId, accountId))
    .limit(1);
  return row?.changedAt ?? null;
}

/** What cards were charged for an invoice, in minor units, and the newest of those payments; whether or not it was given back since. */
export async function readReceived(db: Connection, invoiceId: string): Promise<{ received: number; last: PaymentRow | null }> {
  const paid = await db
    .select()
    .from(payments)
    .where(and(eq(payments.invoiceId, invoiceId), inArray(payments.status, ["succeeded", "refunded"])))
    .orderBy(desc(payments.at));
  return { received: paid.reduce((sum, { amount }) => sum + amount, 0), last: paid[0] ?? null };
}

/** Our documents that correct the invoice, and those that withdraw one of them, oldest first. */
export async function listCorrections(db: Connection, invoiceId: string): Promise<InvoiceRow[]> {
  const notes = db.select({ id: invoices.id }).from(invoices).where(eq(invoices.corrects, invoiceId));
  return db
    .select()
    .from(invoices)
    .where(or(eq(invoices.corrects, invoiceId), inArray(invoices.corrects, notes)))
    .orderBy(asc(invoices.issuedAt), asc(invoices.number));
}

/** A debit note was paid by nobody: it has no receipt. */
const lacksReceipt = and(eq(invoices.status, "paid"), gt(invoices.total, 0), isNull(invoices.corrects), isNull(invoices.receiptQueuedAt));

/** Paid, and no receipt is out yet; oldest first. */
export async function listUnreceipted(db: Connection, accountId: string): Promise<InvoiceRow[]> {
  return db
    .select()
    .from(invoices)
    .where(and(eq(invoices.accountId, accountId), lacksReceipt))
    .orderBy(invoices.issuedAt, invoices.id);
}

/** Up to `most` accounts with an invoice since `since` that lacks its document or its receipt, drawn by lot: one that can't be helped keeps nobody else waiting. */
export async function listWaiting(db: Connection, provider: InvoiceRow["provider"], since: Date, most: number): Promise<string[]> {
  const isUnwritten = and(isNull(invoices.document), ne(invoices.total, 0), ne(invoices.status, "void"));
  const rows = await db
    .select({ accountId: invoices.accountId })
    .from(invoices)
    .where(and(eq(invoices.provider, provider), gt(invoices.issuedAt, since), or(isUnwritten, lacksReceipt)))
    .groupBy(invoices.accountId)
    .orderBy(sql`random()`)
    .limit(most);
  return rows.map(({ accountId }) => accountId);
}

/** True for the one who may queue the receipt. */
export async function markReceiptQueued(db: Connection, id: string, now: Date): Promise<boolean> {
  const marked = await db
    .update(invoices)
    .set({ receiptQueuedAt: now })
    .where(and(eq(invoices.id, id), isNull(invoices.receiptQueuedAt)))
    .returning({ id: invoices.id });
  return marked.length > 0;
}

/** What the account wants on its invoices; null: nothing was said. */
export async function readBillingDetails(db: Connection, accountId: string): Promise<BillingDetails | null> {
  const { name, line1, line2, postalCode, city, country, vatId } = billingDetails;
  const [row] = await db
    .select({ name, line1, line2, postalCode, city, country, vatId })
    .from(billingDetails)
    .where(eq(billingDetails.accountId, accountId))
    .limit(1);
  return row ?? null;
}

/** The account's VAT id, and what the register last said of it; null: it has none. */
export async function readVatAnswer(db: Connection, accountId: string): Promise<{ vatId: string; answer: VatAnswer | null } | null> {
  const [row] = await db
    .select()
    .from(billingDetails)
    .where(and(eq(billingDetails.accountId, accountId), ne(billingDetails.vatId, "")))
    .limit(1);
  if (!row) return null;
  const { vatId, vatValid: valid, vatCheckedAt: checkedAt, vatReference: reference } = row;
  return { vatId, answer: valid === null || !checkedAt ? null : { valid, checkedAt, reference: reference ?? "" } };
}

/** Keeps what the register said of an id, while it is the account's. */
export async function saveVatAnswer(
  db: Connection,
  accountId: string,
  vatId: string,
  { valid, checkedAt, reference }: VatAnswer,
): Promise<void> {
  await db
    .update(billingDetails)
    .set({ vatValid: valid, vatCheckedAt: checkedAt, vatReference: reference })
    .where(and(eq(billingDetails.accountId, accountId), eq(billingDetails.vatId, vatId)));
}

/** What the register said of another VAT id is forgotten. */
export async function saveBillingDetails(db: Connection, accountId: string, details: BillingDetails, now: Date): Promise<void> {
  const set = { ...details, changedAt: now };
  const ifSame = (column: AnyPgColumn) => sql`case when ${billingDetails.vatId} = excluded.vat_id then ${column} end`;
  const kept = {
    vatValid: ifSame(billingDetails.vatValid),
    vatCheckedAt: ifSame(billingDetails.vatCheckedAt),
    vatReference: ifSame(billingDetails.vatReference),
  };
  await db
    .insert(billingDetails)
    .values({ accountId, ...set })
    .onConflictDoUpdate({ target: billingDetails.accountId, set: { ...set, ...kept } });
}

/** Writes the document of an invoice that had to wait for it. */
export async function saveDocument(db: Connection, id: string, document: InvoiceDocument): Promise<InvoiceRow> {
  return (await db.update(invoices).set({ document, number: document.number }).where(eq(invoices.id, id)).returning())[0]!;
}
