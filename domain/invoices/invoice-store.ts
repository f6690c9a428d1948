/** The SQL of invoices and payments. An invoice is written once; afterwards only its status follows the provider. */
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, sql, type SQL } from "drizzle-orm";
import { billingDetails, checkouts, invoiceNumbers, invoices, payments, subscriptions } from "#database/tables.ts";
import type { BillingDetails } from "#contract/billing/billing.ts";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Connection } from "#platform/database.ts";
import { isGapOpen, MemoryGapOpen } from "#domain/memory-gap/memory-gap-store.ts";
import { placeOfNumber, type Buyer, type InvoiceDocument, type NumberSeries } from "./document/invoice-document.ts";
import type { VatAnswer } from "./tax/vat-register.ts";

export type InvoiceRow = typeof invoices.$inferSelect;
export type PaymentRow = typeof payments.$inferSelect;

/** Makes other changes of the same account's invoices, and of its details for them, wait until the transaction ends. */
export async function lockInvoices(db: Connection, accountId: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`invoices ${accountId}`}, 0))`);
}

/**
 * The next number of the year, without gaps: a rollback returns it, and other transactions wait for it. A transaction may need
 * numbers from several years, in any order. A single lock for all years is taken first, which prevents deadlocks. Throws MemoryGapOpen while
 * numbers may have been given that this database has forgotten.
 */
export async function takeInvoiceNumber(db: Connection, series: NumberSeries, year: number): Promise<number> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended('invoice numbers', 0))`);
  if (await isGapOpen(db, "numbers")) throw new MemoryGapOpen("A document's number");
  const [taken] = await db
    .insert(invoiceNumbers)
    .values({ series, year, issued: 1 })
    .onConflictDoUpdate({ target: [invoiceNumbers.series, invoiceNumbers.year], set: { issued: sql`${invoiceNumbers.issued} + 1` } })
    .returning({ issued: invoiceNumbers.issued });
  return taken!.issued;
}

/** Lets the next numbers follow these, which were given before; a number that is not ours is passed over. */
export async function raiseInvoiceNumbers(db: Connection, series: NumberSeries, numbers: readonly string[]): Promise<void> {
  const highest = new Map<number, number>();
  for (const number of numbers) {
    const [year, place] = placeOfNumber(number) ?? [0, 0];
    if (place > (highest.get(year) ?? 0)) highest.set(year, place);
  }
  if (highest.size === 0) return;
  await db
    .insert(invoiceNumbers)
    .values([...highest].map(([year, issued]) => ({ series, year, issued })))
    .onConflictDoUpdate({
      target: [invoiceNumbers.series, invoiceNumbers.year],
      set: { issued: sql`greatest(${invoiceNumbers.issued}, excluded.issued)` },
    });
}

/** Whether a document of this provider has the number. */
export async function isNumberTaken(db: Connection, provider: InvoiceRow["provider"], number: string): Promise<boolean> {
  const found = await db
    .select({ id: invoices.id })
    .from(invoices)
    .where(and(eq(invoices.provider, provider), eq(invoices.number, number)))
    .limit(1);
  return found.length > 0;
}

/** Documents of the account whose number the provider does not keep yet, oldest first. */
export async function listUnkept(db: Connection, provider: InvoiceRow["provider"], accountId: string): Promise<InvoiceRow[]> {
  return db
    .select()
    .from(invoices)
    .where(
      and(eq(invoices.accountId, accountId), eq(invoices.provider, provider), isNull(invoices.numberKeptAt), isNotNull(invoices.document)),
    )
    .orderBy(asc(invoices.issuedAt), asc(invoices.number));
}

export async function markNumberKept(db: Connection, ids: readonly string[], now: Date): Promise<void> {
  await db
    .update(invoices)
    .set({ numberKeptAt: now })
    .where(inArray(invoices.id, [...ids]));
}

/** The provider that charges the account, and its customer id there; null before the first purchase. */
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

/** The provider's ids of what the account has and of what it bought here before. */
export async function listSoldSubscriptions(db: Connection, accountId: string, provider: string): Promise<Set<string>> {
  const [held] = await db
    .select({ provider: subscriptions.provider, id: subscriptions.providerSubscriptionId })
    .from(subscriptions)
    .where(eq(subscriptions.accountId, accountId))
    .limit(1);
  const bought = await db
    .select({ id: checkouts.subscriptionId })
    .from(checkouts)
    .where(and(eq(checkouts.accountId, accountId), eq(checkouts.provider, provider), isNotNull(checkouts.subscriptionId)));
  const ids = [...(held?.provider === provider ? [held.id] : []), ...bought.map(({ id }) => id)];
  return new Set(ids.filter((id) => id !== null));
}

/** The provider that last charged the account, for one whose plan is now assigned by hand. */
async function lastProvider(db: Connection, accountId: string): Promise<InvoiceRow["provider"] | null> {
  const [newest] = await db
    .select({ provider: invoices.provider })
    .from(invoices)
    .where(eq(invoices.accountId, accountId))
    .orderBy(desc(invoices.issuedAt))
    .limit(1);
  return newest?.provider ?? null;
}

/** Our copies of these provider invoices. */
export async function findCopies(db: Connection, provider: InvoiceRow["provider"], providerIds: readonly string[]): Promise<InvoiceRow[]> {
  if (providerIds.length === 0) return [];
  return db
    .select()
    .from(invoices)
    .where(and(eq(invoices.provider, provider), inArray(invoices.providerInvoiceId, [...providerIds])));
}

export async function insertInvoice(
  db: Connection,
  row: Omit<InvoiceRow, "receiptQueuedAt" | "numberKeptAt" | "seenAt"> & { seenAt: SQL<Date> | Date | null },
): Promise<InvoiceRow> {
  return (await db.insert(invoices).values(row).returning())[0]!;
}

/**
 * The database's time, which all processes share and which is never moved: shows which of two requests came first. As SQL, since a Date has
 * no microseconds and two requests may fall within a millisecond.
 */
export async function databaseTime(db: Connection): Promise<SQL<Date>> {
  const { rows } = await db.execute(sql`select clock_timestamp()::text as now`);
  return sql<Date>`${(rows[0] as { now: string }).now}::timestamptz`;
}

/**
 * Records the invoice's status as the provider gave it when asked at `askedAt`; false if a later answer is already recorded. A
 * settled invoice never becomes open again.
 */
export async function setInvoiceStatus(db: Connection, id: string, status: InvoiceRow["status"], askedAt: SQL<Date>): Promise<boolean> {
  const written = await db
    .update(invoices)
    .set({ seenAt: askedAt, ...(status === "open" ? {} : { status }) })
    .where(and(eq(invoices.id, id), or(isNull(invoices.seenAt), lte(invoices.seenAt, askedAt))))
    .returning({ id: invoices.id });
  return written.length > 0;
}

/** Writes a payment or its outcome. A received payment cannot become failed, whatever an older list says. */
export async function savePayment(db: Connection, row: PaymentRow): Promise<void> {
  const { status, reason, brand, lastFour } = row;
  await db
    .insert(payments)
    .values(row)
    .onConflictDoUpdate({
      target: [payments.provider, payments.providerPaymentId],
      set: { status, reason, brand, lastFour },
      setWhere: sql`not (${payments.status} in ('succeeded', 'refunded', 'disputed') and excluded.status in ('failed', 'pending'))`,
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

/** Payments of an invoice, and attempts, newest first. */
export async function listPaymentsOf(db: Connection, invoiceId: string): Promise<PaymentRow[]> {
  return db.select().from(payments).where(eq(payments.invoiceId, invoiceId)).orderBy(desc(payments.at), desc(payments.id));
}

/** The account's own invoice with this id; never another account's. */
export async function findInvoice(db: Connection, accountId: string, id: string): Promise<InvoiceRow | null> {
  const [row] = await db
    .select()
    .from(invoices)
    .where(and(eq(invoices.accountId, accountId), eq(invoices.id, id)))
    .limit(1);
  return row ?? null;
}

/** The number of the account's newest invoice issued before `before` with an amount to pay; null if there is none. */
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

/** When the account's details were last changed; null if there are none. */
export async function readDetailsChangedAt(db: Connection, accountId: string): Promise<Date | null> {
  const [row] = await db
    .select({ changedAt: billingDetails.changedAt })
    .from(billingDetails)
    .where(eq(billingDetails.accountId, accountId))
    .limit(1);
  return row?.changedAt ?? null;
}

/** What cards were charged for an invoice, in minor units, including amounts refunded or disputed since, and the newest of those payments. */
export async function readReceived(db: Connection, invoiceId: string): Promise<{ received: number; last: PaymentRow | null }> {
  const paid = await db
    .select()
    .from(payments)
    .where(and(eq(payments.invoiceId, invoiceId), inArray(payments.status, ["succeeded", "refunded", "disputed"])))
    .orderBy(desc(payments.at));
  return { received: paid.reduce((sum, { amount }) => sum + amount, 0), last: paid[0] ?? null };
}

/** Our corrections of the invoice, and the documents that withdraw them, oldest first. */
export async function listCorrections(db: Connection, invoiceId: string): Promise<InvoiceRow[]> {
  const notes = db.select({ id: invoices.id }).from(invoices).where(eq(invoices.corrects, invoiceId));
  return db
    .select()
    .from(invoices)
    .where(or(eq(invoices.corrects, invoiceId), inArray(invoices.corrects, notes)))
    .orderBy(asc(invoices.issuedAt), asc(invoices.number));
}

/** A paid invoice needs a receipt, and its customer is told of each credit note and debit note. */
const lacksMail = and(eq(invoices.status, "paid"), ne(invoices.total, 0), isNull(invoices.receiptQueuedAt));
/** Mailed only once the provider keeps its number. */
const isKept = or(isNotNull(invoices.numberKeptAt), isNull(invoices.document));

/** Paid invoices without a receipt, and corrections that were not mailed, oldest first. */
export async function listUnmailed(db: Connection, accountId: string): Promise<InvoiceRow[]> {
  return db
    .select()
    .from(invoices)
    .where(and(eq(invoices.accountId, accountId), lacksMail, isKept))
    .orderBy(invoices.issuedAt, invoices.id);
}

/**
 * Up to `most` accounts with an invoice since `since` that lacks its document or mail, chosen at random, so that permanently failing
 * ones do not block the others.
 */
export async function listWaiting(db: Connection, provider: InvoiceRow["provider"], since: Date, most: number): Promise<string[]> {
  const isUnwritten = and(isNull(invoices.document), ne(invoices.total, 0), ne(invoices.status, "void"));
  // In each arm, so that each can use its own index.
  const isRecent = and(eq(invoices.provider, provider), gt(invoices.issuedAt, since));
  const rows = await db
    .select({ accountId: invoices.accountId })
    .from(invoices)
    .where(or(and(isRecent, isUnwritten), and(isRecent, lacksMail)))
    .groupBy(invoices.accountId)
    .orderBy(sql`random()`)
    .limit(most);
  return rows.map(({ accountId }) => accountId);
}

/** True for the one caller that may queue the receipt, or the mail about a correction. */
export async function markReceiptQueued(db: Connection, id: string, now: Date): Promise<boolean> {
  const marked = await db
    .update(invoices)
    .set({ receiptQueuedAt: now })
    .where(and(eq(invoices.id, id), isNull(invoices.receiptQueuedAt)))
    .returning({ id: invoices.id });
  return marked.length > 0;
}

/** Has the mail with this paid invoice, or about this correction, written again; false if none issued after `since` has the number. */
export async function remailInvoice(db: Connection, providers: readonly string[], number: string, since: Date): Promise<boolean> {
  const found = await db
    .update(invoices)
    .set({ receiptQueuedAt: null })
    .where(
      and(
        inArray(invoices.provider, [...providers]),
        eq(invoices.number, number),
        gt(invoices.issuedAt, since),
        eq(invoices.status, "paid"),
        ne(invoices.total, 0),
      ),
    )
    .returning({ id: invoices.id });
  return found.length > 0;
}

/** The account's details for its invoices; null if there are none. */
export async function readBillingDetails(db: Connection, accountId: string): Promise<BillingDetails | null> {
  const { name, line1, line2, postalCode, city, country, vatId } = billingDetails;
  const [row] = await db
    .select({ name, line1, line2, postalCode, city, country, vatId })
    .from(billingDetails)
    .where(eq(billingDetails.accountId, accountId))
    .limit(1);
  return row ?? null;
}

/** The account's VAT id and the register's last answer for it; null if it has none. */
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

/** Stores the register's answer for an id, as long as the account has that id. */
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

/** Saves the details; discards the register's answer if the VAT id changed. */
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

/** The buyer on the account's newest invoice; null if none has a document. */
export async function readLastBuyer(db: Connection, accountId: string): Promise<Buyer | null> {
  const [newest] = await db
    .select({ document: invoices.document })
    .from(invoices)
    .where(and(eq(invoices.accountId, accountId), isNotNull(invoices.document)))
    .orderBy(desc(invoices.issuedAt))
    .limit(1);
  return newest ? (newest.document as InvoiceDocument).buyer : null;
}

/** Writes the document of an invoice that had to wait for it. */
export async function saveDocument(db: Connection, id: string, document: InvoiceDocument): Promise<InvoiceRow> {
  return (await db.update(invoices).set({ document, number: document.number }).where(eq(invoices.id, id)).returning())[0]!;
}
