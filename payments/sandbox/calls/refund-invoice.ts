/** Refunds invoices: all of a subscription's, for the program, or the newest one, for testers. */
import type { Money } from "#contract/billing/money/money.ts";
import { ProviderRefusal, refuseTooLarge } from "../../payment-provider.ts";
import type { Connection, Database } from "#platform/database.ts";
import { emitEvent, type Moment } from "../webhooks/emit-event.ts";
import {
  addPartRefund,
  findInvoice,
  findSubscription,
  holdCustomer,
  holdSubscription,
  markRefunded,
  sandboxId,
  selectInvoices,
  selectPayments,
  setInvoiceStatus,
  type CustomerRow,
  type InvoiceRow,
} from "../sandbox-rows.ts";

/** Shown on a payment that a bank took back. */
export const chargebackReason = "Your bank took this payment back.";

/**
 * Refunds a customer's newest paid invoice once, or lets their bank take the money back. The subscription
 * continues. Refuses if there is none.
 */
export async function refundNewestInvoice(db: Database, customerId: string, now: Date, by: "seller" | "bank" = "seller"): Promise<void> {
  await db.transaction(async (tx) => {
    const customer = await holdCustomer(tx, customerId);
    const newest = (await selectInvoices(tx, customerId)).find(({ status, total }) => status === "paid" && total > 0);
    if (!newest) throw new ProviderRefusal("There is no paid invoice to refund.");
    await refund(tx, customer, newest, { at: now, now }, by);
  });
}

/**
 * Refunds a part of the newest paid invoice, in minor units. The invoice and its plan stay paid unless nothing is left, which makes it a
 * full refund. Refuses if there is no such invoice, or if the amount exceeds what is left of it.
 */
export async function refundPart(db: Database, customerId: string, amount: number, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const customer = await holdCustomer(tx, customerId);
    const newest = (await selectInvoices(tx, customerId)).find(({ status, total }) => status === "paid" && total > 0);
    if (!newest) throw new ProviderRefusal("There is no paid invoice to refund.");
    const left = leftOf(newest);
    if (amount > left) throw new ProviderRefusal(`Only ${left} of what was paid can still be refunded.`);
    const moment = { at: now, now };
    if (amount === left) return refund(tx, customer, newest, moment);
    await addPartRefund(tx, newest.id, { id: sandboxId("ref"), at: now.toISOString(), amount });
    await tell(tx, "payment.refunded", customer, newest, moment);
  });
}

/** The part of what a card was charged that has not been refunded. */
export const leftOf = ({ total, creditUsed, partRefunds }: Pick<InvoiceRow, "total" | "creditUsed" | "partRefunds">): number =>
  Math.max(0, total) - creditUsed - partRefunds.reduce((sum, { amount }) => sum + amount, 0);

/** Refunds everything paid for a subscription and returns the total. If that is more than `most`, everything must be undone. */
export async function refundSubscription(tx: Connection, id: string, now: Date, most: number): Promise<Money> {
  const { customer } = await holdSubscription(tx, id);
  const invoices = (await selectInvoices(tx, customer.id)).filter(({ subscriptionId, total }) => subscriptionId === id && total > 0);
  for (const invoice of invoices) if (invoice.status === "paid") await refund(tx, customer, invoice, { at: now, now });
  const given = (
    await selectPayments(
      tx,
      invoices.map((invoice) => invoice.id),
    )
  ).filter(({ status }) => status === "refunded");
  const sum = { amount: given.reduce((total, { amount }) => total + amount, 0), currency: customer.currency };
  refuseTooLarge(sum, most);
  return sum;
}

/** Refunds one invoice. */
export async function refundInvoice(tx: Connection, id: string, now: Date): Promise<void> {
  const invoice = await findInvoice(tx, id);
  if (!invoice) throw new ProviderRefusal(`There is no invoice ${id}.`);
  await refund(tx, await holdCustomer(tx, invoice.customerId), invoice, { at: now, now });
}

async function refund(
  tx: Connection,
  customer: CustomerRow,
  invoice: InvoiceRow,
  moment: Moment,
  by: "seller" | "bank" = "seller",
): Promise<void> {
  await setInvoiceStatus(tx, invoice.id, "refunded");
  await markRefunded(tx, invoice.id, moment.at, by === "bank" ? chargebackReason : null);
  await tell(tx, by === "bank" ? "payment.disputed" : "payment.refunded", customer, invoice, moment);
}

async function tell(
  tx: Connection,
  type: "payment.disputed" | "payment.refunded",
  customer: CustomerRow,
  invoice: InvoiceRow,
  moment: Moment,
): Promise<void> {
  const subscription = await findSubscription(tx, invoice.subscriptionId);
  await emitEvent(tx, type, { subscriptionId: subscription?.id, customerId: customer.id, accountId: customer.accountId }, moment, {
    invoiceId: invoice.id,
  });
}
