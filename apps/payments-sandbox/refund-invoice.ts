/** Gives an invoice's money back. Not in the port: refunds are made at the provider, by people. */
import type { Database } from "#platform/database.ts";
import { ProviderRefusal } from "#domain/billing/payment-provider.ts";
import { emitEvent } from "./emit-event.ts";
import { findInvoice, findSubscription, holdCustomer, markRefunded, selectInvoices, setInvoiceStatus } from "./sandbox-rows.ts";

/** Refunds the newest paid invoice of a customer, once; the subscription goes on. Refuses where there is none. */
export async function refundNewestInvoice(db: Database, customerId: string, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const customer = await holdCustomer(tx, customerId);
    const newest = (await selectInvoices(tx, customerId)).find(({ status, total }) => status === "paid" && total > 0);
    const invoice = newest && (await findInvoice(tx, newest.id));
    if (!invoice) throw new ProviderRefusal("There is no paid invoice to refund.");
    await setInvoiceStatus(tx, invoice.id, "refunded");
    await markRefunded(tx, invoice.id);
    const subscription = await findSubscription(tx, invoice.subscriptionId);
    await emitEvent(tx, "payment.refunded", { subscriptionId: subscription?.id, customerId, accountId: customer.accountId }, { at: now, now }, { invoiceId: invoice.id });
  });
}
