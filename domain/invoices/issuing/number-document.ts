/**
 * Numbers of our documents. The provider keeps each beside the invoice it is about, before the document is mailed: after a restored dump, the
 * same document gets the same number again, and nobody else does. Decision 0190.
 */
import { seriesOf, type DocumentNumbers, type PaymentProvider } from "#payments/payment-provider.ts";
import type { Clock } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import { invoiceNumber } from "../document/invoice-document.ts";
import * as store from "../invoice-store.ts";

/** What a number is kept for: `invoice`, `void`, `refund:…` or `failed:…`. */
const causeOf = ({ providerInvoiceId, corrects }: Pick<store.InvoiceRow, "providerInvoiceId" | "corrects">): string =>
  corrects === null ? "invoice" : providerInvoiceId.startsWith("void:") ? "void" : providerInvoiceId;

/** The number that the provider keeps for this document, with its date; otherwise the next one. Throws MemoryGapOpen. */
export async function numberDocument(
  tx: Connection,
  document: { provider: store.InvoiceRow["provider"]; numbers: DocumentNumbers | undefined; cause: string; issuedAt: Date },
): Promise<{ number: string; issuedAt: Date }> {
  const { provider, numbers, cause, issuedAt } = document;
  const kept = numbers?.[cause];
  if (kept && !(await store.isNumberTaken(tx, provider, kept.number))) {
    await store.raiseInvoiceNumbers(tx, seriesOf(provider), [kept.number]);
    return kept;
  }
  const year = issuedAt.getUTCFullYear();
  const series = seriesOf(provider);
  return { number: invoiceNumber(series, year, await store.takeInvoiceNumber(tx, series, year)), issuedAt };
}

interface Keeping {
  db: Database;
  clock: Clock;
  provider: PaymentProvider;
}

/** Has the provider keep the account's numbers that it does not keep yet; throws its errors. Safe to repeat. */
export async function keepNumbers({ db, clock, provider }: Keeping, accountId: string): Promise<void> {
  const unkept = await store.listUnkept(db, provider.name, accountId);
  if (unkept.length === 0) return;
  const byId = new Map((await store.listInvoices(db, accountId)).map((row) => [row.id, row]));
  const rootOf = (row: store.InvoiceRow): store.InvoiceRow => (row.corrects === null ? row : rootOf(byId.get(row.corrects)!));
  for (const [root, rows] of Map.groupBy(unkept, rootOf)) {
    const numbers = Object.fromEntries(rows.map((row) => [causeOf(row), { number: row.number!, issuedAt: row.issuedAt }]));
    await provider.keepNumbers(root.providerInvoiceId, numbers);
    await store.markNumberKept(
      db,
      rows.map(({ id }) => id),
      clock.now(),
    );
  }
}
