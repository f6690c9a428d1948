/**
 * An issued invoice never changes: corrections are separate documents with their own number, which name the invoice (article
 * 219 of the VAT directive 2006/112/EC). Without one, the tax on a cancelled invoice would still be owed (article 203), and that
 * on refunded money could not be deducted (article 90).
 */
import { say } from "#contract/sentences/say.ts";
import type { DocumentNumbers, ProviderInvoice } from "#payments/payment-provider.ts";
import type { Connection } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";
import type { InvoiceDocument } from "../document/invoice-document.ts";
import * as store from "../invoice-store.ts";
import { numberDocument } from "./number-document.ts";

/**
 * Writes the credit notes that an invoice of ours lacks: one for the whole invoice if it was cancelled, one for each refund.
 * A refund that failed after its credit note was written gets a debit note, which withdraws the credit note.
 * A chargeback has none: the sale is still valid, and the money is owed.
 */
export async function correctInvoice(
  tx: Connection,
  now: Date,
  row: store.InvoiceRow,
  { status, refunds = [], failedRefunds = [], numbers }: Pick<ProviderInvoice, "status" | "refunds" | "failedRefunds" | "numbers">,
): Promise<void> {
  const invoice = row.document as InvoiceDocument | null;
  if (!invoice || invoice.total.amount <= 0) return;
  if (status !== "void" && refunds.length + failedRefunds.length === 0) return;
  const written = await store.listCorrections(tx, row.id);
  const find = (key: string) => written.find(({ providerInvoiceId }) => providerInvoiceId === key);
  if (status === "void") {
    const id = `void:${row.providerInvoiceId}`;
    if (!find(id))
      await write(tx, row, {
        id,
        cause: "void",
        numbers,
        at: now,
        note: {
          ...reversed(invoice),
          kind: "credit-note",
          because: "cancelled",
          subject: say("cancellationOf", { number: invoice.number }),
        },
      });
    return;
  }
  // Failed refunds first: what is withdrawn can be refunded again.
  for (const refund of failedRefunds) {
    const note = find(`refund:${refund}`);
    const id = `failed:${refund}`;
    if (note && !find(id))
      written.push(
        await write(tx, note, {
          id,
          cause: id,
          numbers,
          at: now,
          note: {
            ...reversed(note.document as InvoiceDocument),
            kind: "debit-note",
            because: "refund-failed",
            subject: say("withdrawalOf", { number: note.number! }),
          },
        }),
      );
  }
  for (const refund of refunds
    .filter(({ id }) => !find(`refund:${id}`))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1))) {
    const before = creditedBy(written);
    // A refund beyond the invoice's total has another reason than this invoice.
    const upTo = Math.min(before.total + refund.amount.amount, invoice.total.amount);
    if (upTo <= before.total) continue;
    written.push(
      await write(tx, row, {
        id: `refund:${refund.id}`,
        cause: `refund:${refund.id}`,
        numbers,
        at: refund.at,
        note: {
          ...givenBack(invoice, before, upTo),
          kind: "credit-note",
          because: "refunded",
          subject: say("refundFor", { number: invoice.number }),
        },
      }),
    );
  }
}

type Body = Omit<InvoiceDocument, "kind" | "number" | "issuedAt" | "corrects">;
type Note = Body & Pick<InvoiceDocument, "kind">;

/** What has been credited so far, less withdrawals; minor units, zero or more. */
interface Credited {
  total: number;
  tax: number;
  taxInSellerCurrency: number;
}

function creditedBy(corrections: readonly store.InvoiceRow[]): Credited {
  const sum = (of: (row: store.InvoiceRow) => number) => corrections.reduce((left, row) => left - of(row), 0);
  return {
    total: sum(({ total }) => total),
    tax: sum(({ tax }) => tax),
    taxInSellerCurrency: sum(({ document }) => (document as InvoiceDocument | null)?.taxInSellerCurrency?.amount.amount ?? 0),
  };
}

/** Stored under the id of its cause, which makes it unique. `row`: the document that it corrects. */
async function write(
  tx: Connection,
  row: store.InvoiceRow,
  { id, cause, numbers, at, note }: { id: string; cause: string; numbers: DocumentNumbers | undefined; at: Date; note: Note },
): Promise<store.InvoiceRow> {
  const { number, issuedAt } = await numberDocument(tx, { provider: row.provider, numbers, cause, issuedAt: at });
  const document: InvoiceDocument = { ...note, number, issuedAt: issuedAt.toISOString(), corrects: row.number };
  return store.insertInvoice(tx, {
    id: newId(issuedAt.getTime()),
    accountId: row.accountId,
    provider: row.provider,
    providerInvoiceId: id,
    number,
    issuedAt,
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

const negated = <Sum extends { amount: { amount: number; currency: string } }>(sum: Sum): Sum => ({
  ...sum,
  amount: { ...sum.amount, amount: 0 - sum.amount.amount },
});

/** The whole document with reversed signs, line by line. */
function reversed({ total, lines, tax, taxInSellerCurrency: converted, ...facts }: InvoiceDocument): Body {
  return {
    ...withoutOwn(facts),
    lines: lines.map(negated),
    tax: tax && negated(tax),
    ...(converted && { taxInSellerCurrency: negated(converted) }),
    total: { ...total, amount: 0 - total.amount },
  };
}

/**
 * The amount missing until all credit notes total `to`, with its share of the tax. The tax share is calculated on the whole sum, less
 * the tax credited before, so that all parts together credit exactly the whole tax, even if one was withdrawn in between.
 */
function givenBack(invoice: InvoiceDocument, before: Credited, to: number): Body {
  const { total, tax, lines: _all, taxInSellerCurrency: converted, ...facts } = invoice;
  if (before.total === 0 && to === total.amount) return reversed(invoice);
  const partOf = (whole: number, credited: number) => proportion(whole, to, total.amount) - credited;
  const taxPart = partOf(tax?.amount.amount ?? 0, before.tax);
  const part = to - before.total;
  const money = (amount: number) => ({ amount: 0 - amount, currency: total.currency });
  const line = {
    label: say("partialRefundFor", { number: invoice.number }),
    quantity: 1,
    amount: money(tax && !tax.inclusive ? part - taxPart : part),
    isProration: false,
  };
  return {
    ...withoutOwn(facts),
    lines: [line],
    tax: tax && { ...tax, amount: money(taxPart) },
    ...(converted && {
      taxInSellerCurrency: {
        ...converted,
        amount: { ...converted.amount, amount: 0 - partOf(converted.amount.amount, before.taxInSellerCurrency) },
      },
    }),
    total: money(part),
  };
}

/** `amount * part / whole`, rounded to the nearest minor unit; all are zero or more, and `whole` is above zero. */
const proportion = (amount: number, part: number, whole: number): number =>
  Number((BigInt(amount) * BigInt(part) * 2n + BigInt(whole)) / (BigInt(whole) * 2n));

/** What a credit note shares with its invoice: buyer, period and tax rule. */
function withoutOwn({
  number: _number,
  issuedAt: _issuedAt,
  kind: _kind,
  corrects: _corrects,
  creditUsed: _credit,
  ...facts
}: Omit<InvoiceDocument, "lines" | "tax" | "total" | "taxInSellerCurrency">): Omit<
  InvoiceDocument,
  "lines" | "tax" | "total" | "kind" | "number" | "issuedAt" | "corrects"
> {
  return facts;
}
