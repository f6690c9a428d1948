/** After a payment: the provider's invoices become ours, and each paid one's receipt goes out, once. */
import { copyInvoices, type InvoiceCopying } from "#domain/invoices/copy-invoices.ts";

/** Writes down what the provider charged; throws what the provider throws, and can be repeated. */
export async function settlePayments(parts: InvoiceCopying & { publicUrl: string }, accountId: string): Promise<void> {
  await copyInvoices(parts, accountId);
}
