/** Bills and invoices: how a sum is made up, and how it is paid. */
import { say } from "#contract/sentences/say.ts";
import type { ProviderLine, ProviderTax } from "../../payment-provider.ts";
import type { Connection } from "#platform/database.ts";
import { emitEvent, type Moment } from "../webhooks/emit-event.ts";
import { subtotalOf } from "./items.ts";
import {
  insertInvoice,
  insertPayment,
  sandboxId,
  selectPayments,
  setInvoiceStatus,
  updateCustomer,
  type CustomerRow,
  type InvoiceRow,
  type SubscriptionRow,
} from "../sandbox-rows.ts";
import { taxOn, taxRule, withTax } from "./sales-tax.ts";
import { chargeCard, type Charge, type ChargeOutcome, type KeptCard } from "./test-cards.ts";

/** A sum to pay, before it is charged. */
export interface Bill {
  lines: readonly ProviderLine[];
  tax: ProviderTax | null;
  /** Below zero: credit to the customer. */
  total: number;
  creditUsed: number;
  /** What a card is charged: the total less credit, never below zero. */
  due: number;
  creditAfter: number;
}

interface Payer {
  currency: string;
  credit: number;
  country: string;
  vatId: string;
  taxInclusive: boolean;
}

/** The payer, as far as it affects the sum. Without an address the place is unknown, and no tax applies. */
export const payerOf = (customer: Pick<CustomerRow, "currency" | "credit" | "details">, taxInclusive: boolean): Payer => ({
  currency: customer.currency,
  credit: customer.credit,
  country: customer.details?.country ?? "",
  vatId: customer.details?.vatId ?? "",
  taxInclusive,
});

/** Adds up lines, tax and credit. */
export function makeBill(lines: readonly ProviderLine[], payer: Payer): Bill {
  const subtotal = subtotalOf(lines);
  const tax = lines.length === 0 ? null : taxOn(subtotal, payer.currency, taxRule(payer.country, payer.vatId), payer.taxInclusive);
  const total = withTax(subtotal, tax);
  const creditUsed = Math.max(0, Math.min(payer.credit, total));
  return {
    lines,
    tax,
    total,
    creditUsed,
    due: Math.max(0, total) - creditUsed,
    creditAfter: payer.credit - creditUsed + Math.max(0, -total),
  };
}

/** The line that deducts credit from a sum; none if no credit is used. */
export function creditLines({ creditUsed }: Pick<Bill, "creditUsed">, currency: string): ProviderLine[] {
  return creditUsed === 0
    ? []
    : [{ label: say("accountCredit"), quantity: 1, amount: { amount: -creditUsed, currency }, isProration: false }];
}

interface BillingOf {
  subscription: Pick<SubscriptionRow, "id" | "accountId">;
  customer: CustomerRow;
  card: KeptCard | null;
}

type Attempt = Omit<Charge, "at" | "amount">;
type Settled = { outcome: ChargeOutcome; invoice: InvoiceRow | null; customer: CustomerRow };

/**
 * Charges a bill's sum. Paid: the invoice is written and the credit used. Not paid: with `keepOpen` the invoice stays open for
 * retries, otherwise only the failed attempt remains, on a void invoice. A total of zero has no invoice.
 */
export async function settleBill(
  tx: Connection,
  bill: Bill,
  who: BillingOf,
  attempt: Attempt,
  moment: Moment,
  keepOpen: boolean,
): Promise<Settled> {
  const { customer, subscription, card } = who;
  const outcome = chargeCard(card, { ...attempt, at: moment.at, amount: bill.due });
  if (bill.total === 0) return { outcome, invoice: null, customer };
  const paid = outcome.kind === "paid";
  // The bank asks for confirmation before the charge, so there is no attempt to show yet.
  if (outcome.kind === "confirm" && !keepOpen) return { outcome, invoice: null, customer };
  const isCharged = paid || keepOpen;
  const invoice = await insertInvoice(tx, {
    id: sandboxId("inv"),
    customerId: customer.id,
    subscriptionId: subscription.id,
    status: paid ? "paid" : keepOpen ? "open" : "void",
    currency: customer.currency,
    lines: [...bill.lines],
    tax: bill.tax,
    total: bill.total,
    creditUsed: isCharged ? bill.creditUsed : 0,
    issuedAt: moment.at,
  });
  const charged = isCharged ? await updateCustomer(tx, customer.id, { credit: bill.creditAfter }) : customer;
  await recordTry(tx, invoice, bill.due, outcome, who, moment);
  return { outcome, invoice, customer: charged };
}

/** Tries again to collect an open invoice. */
export async function settleOpenInvoice(
  tx: Connection,
  invoice: InvoiceRow,
  who: BillingOf,
  attempt: Omit<Attempt, "failedBefore">,
  moment: Moment,
): Promise<ChargeOutcome> {
  const failedBefore = (await selectPayments(tx, [invoice.id])).filter(({ status }) => status === "failed").length;
  const amount = invoice.total - invoice.creditUsed;
  const outcome = chargeCard(who.card, { ...attempt, at: moment.at, amount, failedBefore });
  if (outcome.kind === "paid") await setInvoiceStatus(tx, invoice.id, "paid");
  await recordTry(tx, invoice, amount, outcome, who, moment);
  return outcome;
}

async function recordTry(
  tx: Connection,
  invoice: InvoiceRow,
  amount: number,
  outcome: ChargeOutcome,
  { subscription, customer, card }: BillingOf,
  moment: Moment,
): Promise<void> {
  if (amount <= 0) return;
  const paid = outcome.kind === "paid";
  const reason = outcome.kind === "paid" ? null : outcome.reason;
  const payment = await insertPayment(tx, {
    invoiceId: invoice.id,
    at: moment.at,
    amount,
    status: paid ? "succeeded" : "failed",
    card,
    reason,
  });
  const type = paid ? "payment.succeeded" : outcome.kind === "confirm" ? "payment.action_required" : "payment.failed";
  await emitEvent(tx, type, { subscriptionId: subscription.id, customerId: customer.id, accountId: subscription.accountId }, moment, {
    invoiceId: invoice.id,
    paymentId: payment.id,
    amount,
    currency: invoice.currency,
    reason,
  });
}
