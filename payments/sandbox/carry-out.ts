/** The ledger over the sandbox's rows: an account is read from them, and what a turn did is written to them, with its events. */
import type { Connection } from "#platform/database.ts";
import { afterTurn, type Account, type Turn } from "../ledger/ledger.ts";
import {
  findInvoice,
  insertInvoice,
  insertPayment,
  sandboxId,
  selectPayments,
  setInvoiceStatus,
  updateCustomer,
  updateSubscription,
  type CustomerRow,
  type InvoiceRow,
  type SubscriptionRow,
} from "./sandbox-rows.ts";
import { bankOf, type KeptCard } from "./test-cards.ts";
import { emitEvent, type Moment, type SandboxEventType } from "./webhooks/emit-event.ts";

/** A subscription and its customer, whose rows are locked. */
export interface Held {
  subscription: SubscriptionRow;
  customer: CustomerRow;
}

export type HeldAccount = Account<CustomerRow> & Held;

/** The account, with the invoice that waits for payment; its customer's card is asked. */
export async function accountOf(tx: Connection, { subscription, customer }: Held): Promise<HeldAccount> {
  const account = { subscription, customer, bank: bankOf(customer.card) };
  const invoice = subscription.openInvoiceId ? await findInvoice(tx, subscription.openInvoiceId) : undefined;
  if (invoice?.status !== "open") return { ...account, open: null };
  const failed = (await selectPayments(tx, [invoice.id])).filter(({ status }) => status === "failed").length;
  return { ...account, open: { total: invoice.total, creditUsed: invoice.creditUsed, failed } };
}

/** Writes what a turn did, and reports it. */
export async function carryOut(tx: Connection, { subscription, customer }: Held, turn: Turn, moment: Moment): Promise<SubscriptionRow> {
  const written = await writeInvoice(tx, { subscription, customer }, turn, moment);
  if (turn.credit !== customer.credit) await updateCustomer(tx, customer.id, { credit: turn.credit });
  if (written && turn.attempted > 0) await recordAttempt(tx, { subscription, customer }, written, turn, moment);
  const openInvoiceId = turn.invoice?.status === "open" ? written!.id : turn.open ? null : subscription.openInvoiceId;
  if (turn.told === null && openInvoiceId === subscription.openInvoiceId) return subscription;
  const changed = await updateSubscription(tx, subscription.id, { ...turn.changes, openInvoiceId }, moment.at);
  if (turn.told) await tell(tx, `subscription.${turn.told}`, changed, moment);
  return changed;
}

/** Several turns, each upon the one before. */
export async function carryOutAll(tx: Connection, account: HeldAccount, turns: readonly Turn[], moment: Moment): Promise<void> {
  let held: Held = account;
  for (const turn of turns) {
    const { customer } = afterTurn({ ...account, ...held }, turn);
    held = { subscription: await carryOut(tx, held, turn, moment), customer };
  }
}

/** The invoice that the turn is about: the new one, or else the open one. */
async function writeInvoice(
  tx: Connection,
  { subscription, customer }: Held,
  { invoice, open }: Turn,
  moment: Moment,
): Promise<Pick<InvoiceRow, "id" | "currency"> | null> {
  const openId = subscription.openInvoiceId;
  if (open && openId) await setInvoiceStatus(tx, openId, open);
  if (!invoice) return openId ? { id: openId, currency: customer.currency } : null;
  const { bill, status, creditUsed } = invoice;
  return insertInvoice(tx, {
    id: sandboxId("inv"),
    customerId: customer.id,
    subscriptionId: subscription.id,
    status,
    currency: customer.currency,
    lines: [...bill.lines],
    tax: bill.tax,
    total: bill.total,
    creditUsed,
    issuedAt: moment.at,
  });
}

async function recordAttempt(
  tx: Connection,
  { subscription, customer }: Held,
  { id: invoiceId, currency }: Pick<InvoiceRow, "id" | "currency">,
  { outcome, attempted: amount }: Turn,
  moment: Moment,
): Promise<void> {
  const paid = outcome.kind === "paid";
  const reason = outcome.kind === "paid" ? null : outcome.reason;
  const card: KeptCard | null = customer.card;
  const status = paid ? "succeeded" : "failed";
  const { id: paymentId } = await insertPayment(tx, { invoiceId, at: moment.at, amount, status, card, reason });
  const type = paid ? "payment.succeeded" : outcome.kind === "confirm" ? "payment.action_required" : "payment.failed";
  const about = { subscriptionId: subscription.id, customerId: customer.id, accountId: subscription.accountId };
  await emitEvent(tx, type, about, moment, { invoiceId, paymentId, amount, currency, reason });
}

export async function tell(tx: Connection, type: SandboxEventType, subscription: SubscriptionRow, moment: Moment): Promise<void> {
  const { id, customerId, accountId } = subscription;
  await emitEvent(tx, type, { subscriptionId: id, customerId, accountId }, moment);
}
