/** Records a provider's invoice as ours, once, with everything that will ever be printed on it. */
import type { SQL } from "drizzle-orm";
import { isDeepStrictEqual } from "node:util";
import type { Language } from "#contract/accounts/language.ts";
import { asOneLine } from "#contract/api/printable-text.ts";
import type { BillingDetails } from "#contract/billing/billing.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { isErased } from "#domain/accounts/erasure-store.ts";
import { findOwner } from "#domain/accounts/credential-store.ts";
import type { ProviderInvoice } from "#payments/payment-provider.ts";
import { readPlans } from "#domain/plans/plan-facts-store.ts";
import type { Connection } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import type { VatAnswers } from "../tax/check-vat-ids.ts";
import type { InvoiceCopying } from "./copy-invoices.ts";
import { describeInvoice, servicePeriodOf } from "../document/describe-invoice.ts";
import { convertTax, taxCurrencyOf } from "../tax/exchange-rates.ts";
import { isReverseCharge, type Buyer, type InvoiceDocument } from "../document/invoice-document.ts";
import * as store from "../invoice-store.ts";
import { numberDocument } from "./number-document.ts";

/** Includes the VAT register's latest answers. */
type Issuing = InvoiceCopying & { vatAnswers: VatAnswers };

/** Writes the new invoice, with the next number if we are the seller; null for one that was void before we saw it. */
export async function issueInvoice(
  tx: Connection,
  copying: Issuing,
  accountId: string,
  invoice: ProviderInvoice,
  askedAt: SQL<Date>,
): Promise<store.InvoiceRow | null> {
  if (invoice.status === "void") return null;
  const { clock, provider } = copying;
  const id = newId(clock.now().getTime());
  const { total, tax, lines, issuedAt, status } = invoice;
  await keepDetails(tx, clock.now(), accountId, invoice);
  const description = describeInvoice(lines, await readPlans(tx));
  const document = await writeDocument(tx, copying, accountId, description, invoice);
  return store.insertInvoice(tx, {
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
    seenAt: askedAt,
  });
}

/** Completes a copy whose document had to wait, if possible now, as if it were issued now. */
export async function completeInvoice(
  tx: Connection,
  copying: Issuing,
  row: store.InvoiceRow,
  invoice: ProviderInvoice,
): Promise<store.InvoiceRow> {
  if (row.document || invoice.status === "void") return row;
  const document = await writeDocument(tx, copying, row.accountId, row.description, invoice);
  return document ? store.saveDocument(tx, row.id, document) : row;
}

/**
 * Null if the provider is the seller, or while a required exchange rate is unknown. The number is taken last, so
 * only a finished document uses one.
 */
async function writeDocument(
  tx: Connection,
  { seller, provider, register, rates, vatAnswers }: Issuing,
  accountId: string,
  subject: string,
  { lines, tax, total, creditUsed, issuedAt, corrects, numbers }: ProviderInvoice,
): Promise<InvoiceDocument | null> {
  if (provider.isSeller || total.amount === 0) return null;
  const { buyer, language } = await readBuyer(tx, accountId);
  const isCreditNote = total.amount < 0;
  const currency = rates ? taxCurrencyOf(seller.country) : null;
  const isForeign = currency !== null && currency !== total.currency && tax !== null && tax.amount.amount !== 0;
  const converted = isForeign ? await convertTax(tx, tax.amount, currency, issuedAt) : null;
  if (isForeign && !converted) return null;
  const { vatId } = buyer.details;
  const answer = vatAnswers.get(vatId) ?? null;
  if (answer) await store.saveVatAnswer(tx, accountId, vatId, answer);
  return {
    kind: isCreditNote ? "credit-note" : "invoice",
    ...(language === "de" && { language }),
    subject,
    servicePeriod: servicePeriodOf(lines),
    corrects: isCreditNote ? await numbersOf(tx, provider.name, accountId, corrects ?? [], issuedAt) : null,
    creditUsed,
    issuedAt: issuedAt.toISOString(),
    seller,
    buyer,
    lines: lines.map(({ label, quantity, amount, isProration }) => ({ label, quantity, amount, isProration })),
    tax,
    total,
    ...(converted && { taxInSellerCurrency: converted }),
    // Where ids are checked, an unconfirmed id does not count.
    reverseCharge: isReverseCharge(seller, buyer, tax) && (!register || answer?.valid === true),
    ...(register && vatId !== "" && { vatCheck: answer && { ...answer, checkedAt: answer.checkedAt.toISOString() } }),
    number: (await numberDocument(tx, { provider: provider.name, numbers, cause: "invoice", issuedAt })).number,
  };
}

/** The invoices that a negative one credits; the previous one if the provider names none. */
async function numbersOf(
  tx: Connection,
  provider: store.InvoiceRow["provider"],
  accountId: string,
  ids: readonly string[],
  before: Date,
): Promise<string | null> {
  const numbers = (await store.findCopies(tx, provider, ids)).flatMap(({ number }) => number ?? []).toSorted();
  return numbers.length > 0 ? numbers.join(", ") : store.findInvoiceBefore(tx, accountId, before);
}

/**
 * The details entered at the provider's checkout determined the tax, so they are kept for this invoice and later ones,
 * unless the customer has changed their details here since.
 */
async function keepDetails(tx: Connection, now: Date, accountId: string, { buyer, issuedAt }: ProviderInvoice): Promise<void> {
  // Of an erased account only its invoices are kept.
  if (!buyer?.country || (await isErased(tx, accountId))) return;
  const changedAt = await store.readDetailsChangedAt(tx, accountId);
  if (changedAt && changedAt > issuedAt) return;
  const before = await store.readBillingDetails(tx, accountId);
  const owner = await findOwner(tx, accountId);
  const printable = Object.entries(buyer).map(([field, value]) => [field, asOneLine(value)] as const);
  const given = Object.fromEntries(printable.filter(([, value]) => value !== "")) as Partial<BillingDetails>;
  // A street is only valid in its country, and the name on a card is not a company's.
  const kept = before?.country === buyer.country ? before : null;
  const details = { ...noDetails, ...kept, ...given, name: before?.name || given.name || (owner?.fullName ?? "") };
  if (before && isDeepStrictEqual(before, details)) return;
  await store.saveBillingDetails(tx, accountId, details, now);
  await writeAudit(tx, { accountId, userId: null, action: "billing_details.changed", before, after: details }, now);
}

const noDetails: BillingDetails = { name: "", line1: "", line2: "", postalCode: "", city: "", country: "", vatId: "" };

async function readBuyer(tx: Connection, accountId: string): Promise<{ buyer: Buyer; language: Language | null }> {
  const owner = await findOwner(tx, accountId);
  const details = await store.readBillingDetails(tx, accountId);
  // An account without people was erased: a correction names the buyer as the invoices before it do.
  const before = owner ? null : await store.readLastBuyer(tx, accountId);
  if (before) return { buyer: before, language: null };
  const buyer = {
    accountName: owner?.accountName ?? "",
    email: owner?.email ?? "",
    details: details ?? { ...noDetails, name: owner?.fullName ?? "" },
  };
  return { buyer, language: owner?.language ?? null };
}
