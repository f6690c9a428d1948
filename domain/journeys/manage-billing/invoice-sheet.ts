/** An invoice as its page shows it: the document as issued, and what was paid and corrected since. */
import type { InvoiceSheet } from "#contract/billing/invoice.ts";
import type { Money } from "#contract/billing/money/money.ts";
import type { InvoiceDocument } from "#domain/invoices/document/invoice-document.ts";
import { sumsOf } from "#domain/invoices/document/invoice-sums.ts";
import { listCorrections, listPaymentsOf, readReceived, type InvoiceRow, type PaymentRow } from "#domain/invoices/invoice-store.ts";
import type { Connection } from "#platform/database.ts";
import { paymentView, transactionView } from "./payment-views.ts";

export async function readInvoiceSheet(db: Connection, row: InvoiceRow): Promise<InvoiceSheet> {
  const { received } = await readReceived(db, row.id);
  return invoiceSheetView(row, { received, payments: await listPaymentsOf(db, row.id), corrections: await listCorrections(db, row.id) });
}

interface Since {
  /** What cards were charged. */
  received: number;
  payments: readonly PaymentRow[];
  corrections: readonly InvoiceRow[];
}

export function invoiceSheetView(row: InvoiceRow, { received, payments, corrections }: Since): InvoiceSheet {
  const { id, number, at, description, total, tax, status, kind } = transactionView(row);
  const document = row.document as InvoiceDocument | null;
  const money = (amount: number): Money => ({ amount, currency: row.currency });
  // We do not have the documents of another seller; their total is all that is needed.
  const known = document ?? { kind, lines: [], tax: null, total };
  const sums = sumsOf(known, status, received);
  return {
    id,
    number,
    at,
    description,
    total,
    tax,
    status,
    kind,
    document: document && documentView(document, money),
    paid: {
      byCard: money(sums.received),
      fromCredit: money(sums.fromCredit),
      otherwise: money(sums.paidOtherwise),
      open: money(sums.open),
    },
    payments: payments.map(paymentView),
    corrects: document?.corrects ? { id: row.corrects, number: document.corrects } : null,
    corrections: corrections.map(correctionView),
  };
}

function correctionView(row: InvoiceRow): InvoiceSheet["corrections"][number] {
  const { id, number, at, total, kind } = transactionView(row);
  return { id, number, at, total, kind };
}

function documentView(document: InvoiceDocument, money: (amount: number) => Money): NonNullable<InvoiceSheet["document"]> {
  const { seller, buyer, servicePeriod, lines, tax, taxInSellerCurrency, reverseCharge, vatCheck, because } = document;
  // Only the lines, tax and total count for these sums, not what was paid.
  const sums = sumsOf(document, "paid", 0);
  return {
    seller: { ...seller, address: [...seller.address] },
    buyer,
    servicePeriod: servicePeriod ?? null,
    lines: lines.map(({ label, quantity, amount, isProration }) => ({
      label,
      quantity,
      unitAmount: quantity !== 0 && amount.amount % quantity === 0 ? money(amount.amount / quantity) : null,
      amount,
      isProration,
    })),
    subtotal: money(sums.lines),
    discount: money(sums.otherwise),
    tax,
    net: money(sums.total - (tax?.amount.amount ?? 0)),
    taxInSellerCurrency: taxInSellerCurrency ?? null,
    reverseCharge,
    vatCheck: vatCheck?.valid ? { checkedAt: vatCheck.checkedAt, reference: vatCheck.reference } : null,
    because: because ?? null,
  };
}
