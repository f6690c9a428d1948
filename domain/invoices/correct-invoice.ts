/**
 * An invoice that was issued never changes: what becomes of it is told by a document of its own number, which names it (article
 * 219 of the VAT directive 2006/112/EC). Without one the tax on a cancelled invoice would still be owed (article 203), and that
 * of money given back could not be taken off (article 90).
 */
import type { ProviderInvoice } from "#domain/billing/payment-provider.ts";
import type { Connection } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import { invoiceNumber, type InvoiceDocument } from "./invoice-document.ts";
import * as store from "./invoice-store.ts";
import { invoiceWords as words } from "./invoice-words.ts";

/**
 * Writes the credit notes that an invoice of ours lacks: one for all of it where it was cancelled, one for each sum given back.
 * What a bank took back has none: the sale stands, and the money is owed.
 */
export async function correctInvoice(tx: Connection, now: Date, row: store.InvoiceRow, { status, refunds = [] }: Pick<ProviderInvoice, "status" | "refunds">): Promise<void> {
  const invoice = row.document as InvoiceDocument | null;
  if (!invoice || invoice.total.amount <= 0) return;
  const wanted = status === "void" ? [`void:${row.providerInvoiceId}`] : refunds.map(({ id }) => `refund:${id}`);
  const written = await store.findCopies(tx, row.provider, wanted);
  const isWritten = (key: string) => written.some(({ providerInvoiceId }) => providerInvoiceId === key);
  if (status === "void") {
    if (written.length === 0) await write(tx, row, { id: wanted[0]!, at: now, note: { ...reversed(invoice), because: "cancelled", subject: words.cancels(invoice.number) } });
    return;
  }
  let before = -written.reduce((sum, { total }) => sum + total, 0);
  for (const refund of refunds.filter(({ id }) => !isWritten(`refund:${id}`)).toSorted((one, other) => one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1))) {
    // More than it was about is given back for another reason than it.
    const upTo = Math.min(before + refund.amount.amount, invoice.total.amount);
    if (upTo > before) await write(tx, row, { id: `refund:${refund.id}`, at: refund.at, note: { ...givenBack(invoice, before, upTo), because: "refunded", subject: words.givesBack(invoice.number) } });
    before = upTo;
  }
}

type Note = Omit<InvoiceDocument, "kind" | "number" | "issuedAt" | "corrects">;

/** Under the name of what it answers, which no other document can have. */
async function write(tx: Connection, row: store.InvoiceRow, { id, at, note }: { id: string; at: Date; note: Note }): Promise<void> {
  const year = at.getUTCFullYear();
  const number = invoiceNumber(year, await store.takeInvoiceNumber(tx, year));
  const document: InvoiceDocument = { ...note, kind: "credit-note", number, issuedAt: at.toISOString(), corrects: row.number };
  await store.insertInvoice(tx, {
    id: newId(at.getTime()),
    accountId: row.accountId,
    provider: row.provider,
    providerInvoiceId: id,
    number,
    issuedAt: at,
    description: note.subject ?? "",
    currency: row.currency,
    total: document.total.amount,
    tax: document.tax?.amount.amount ?? 0,
    status: "paid",
    document,
    corrects: row.id,
    seenAt: null,
  });
}

const negated = <Sum extends { amount: { amount: number; currency: string } }>(sum: Sum): Sum => ({ ...sum, amount: { ...sum.amount, amount: 0 - sum.amount.amount } });

/** The whole invoice the other way round, line by line. */
function reversed({ total, lines, tax, taxInSellerCurrency: converted, ...facts }: InvoiceDocument): Note {
  return { ...withoutOwn(facts), lines: lines.map(negated), tax: tax && negated(tax), ...(converted && { taxInSellerCurrency: negated(converted) }), total: { ...total, amount: 0 - total.amount } };
}

/**
 * The part between two sums, with its share of the tax: as the shares are taken of the sums so far, those of all parts are the
 * tax of the whole.
 */
function givenBack(invoice: InvoiceDocument, from: number, to: number): Note {
  const { total, tax, lines: _all, taxInSellerCurrency: converted, ...facts } = invoice;
  if (from === 0 && to === total.amount) return reversed(invoice);
  const partOf = (whole: number) => proportion(whole, to, total.amount) - proportion(whole, from, total.amount);
  const taxPart = partOf(tax?.amount.amount ?? 0);
  const part = to - from;
  const money = (amount: number) => ({ amount: 0 - amount, currency: total.currency });
  const line = { label: words.partOf(invoice.number), quantity: 1, amount: money(tax && !tax.inclusive ? part - taxPart : part), isProration: false };
  return { ...withoutOwn(facts), lines: [line], tax: tax && { ...tax, amount: money(taxPart) }, ...(converted && { taxInSellerCurrency: { ...converted, amount: { ...converted.amount, amount: 0 - partOf(converted.amount.amount) } } }), total: money(part) };
}

/** `amount * part / whole`, rounded to the nearest minor unit; all of them zero or more, `whole` above it. */
const proportion = (amount: number, part: number, whole: number): number => Number((BigInt(amount) * BigInt(part) * 2n + BigInt(whole)) / (BigInt(whole) * 2n));

/** What a credit note has of its invoice: whom, for which time, and by which rule of tax. */
function withoutOwn({ number: _number, issuedAt: _issuedAt, kind: _kind, corrects: _corrects, creditUsed: _credit, ...facts }: Omit<InvoiceDocument, "lines" | "tax" | "total" | "taxInSellerCurrency">): Omit<InvoiceDocument, "lines" | "tax" | "total" | "kind" | "number" | "issuedAt" | "corrects"> {
  return facts;
}
