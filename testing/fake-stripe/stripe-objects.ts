/** The sandbox's rows as Stripe's objects: only members that Stripe has, of Stripe's types. */
import type { CustomerRow, InvoiceRow, PaymentRow, SubscriptionRow } from "#apps/payments-sandbox/sandbox-rows.ts";
import type { Bill } from "#apps/payments-sandbox/bill.ts";
import { chargebackReason } from "#apps/payments-sandbox/refund-invoice.ts";
import type { Items } from "#apps/payments-sandbox/items.ts";
import type { KeptCard } from "#apps/payments-sandbox/test-cards.ts";
import type { ProviderLine, ProviderTax } from "#domain/billing/payment-provider.ts";

export const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);
const orNull = (at: Date | null): number | null => (at ? seconds(at) : null);
export const list = (data: object[], url: string): object => ({ object: "list", url, has_more: false, data });

export const priceIdOf = (lookupKey: string): string => `price_${lookupKey}`;
export const lookupKeyOf = (priceId: string): string => priceId.replace(/^price_/, "");

export const priceObject = (lookupKey: string, taxInclusive = false): object => ({
  id: priceIdOf(lookupKey), object: "price", active: true, lookup_key: lookupKey, currency: "usd", type: "recurring", tax_behavior: taxInclusive ? "inclusive" : "exclusive",
});

const statuses: Readonly<Record<string, string>> = { active: "active", past_due: "past_due", paused: "paused", canceled: "canceled" };

export interface FakeItem {
  id: string;
  lookupKey: string;
  quantity: number;
}

export function itemsOf(subscriptionId: string, { purchase }: Items): FakeItem[] {
  return [
    { id: `si_${subscriptionId}_plan`, lookupKey: purchase.planId, quantity: 1 },
    { id: `si_${subscriptionId}_executions`, lookupKey: `${purchase.planId}-executions`, quantity: purchase.extraExecutionUnits },
    { id: `si_${subscriptionId}_workflows`, lookupKey: `${purchase.planId}-workflows`, quantity: purchase.extraWorkflowUnits },
  ].filter(({ quantity }) => quantity > 0);
}

export function subscriptionObject(row: SubscriptionRow, customer: CustomerRow, invoice: object | null): object {
  const periods = { current_period_start: seconds(row.periodStartsAt), current_period_end: seconds(row.periodEndsAt) };
  return {
    id: row.id,
    object: "subscription",
    // What the sandbox does not know is a word that Stripe may have learned since.
    status: statuses[row.status] ?? row.status,
    currency: row.currency.toLowerCase(),
    created: seconds(row.createdAt),
    customer: customerObject(customer),
    metadata: { accountId: row.accountId, planId: row.items.purchase.planId },
    cancel_at_period_end: row.cancelsAtPeriodEnd,
    cancel_at: row.cancelsAtPeriodEnd ? seconds(row.periodEndsAt) : null,
    ended_at: orNull(row.endedAt),
    status_details: { paused: row.pausedAt ? { transitioned_at: seconds(row.pausedAt), type: "subscription", subscription: { type: "final_payment_failure" } } : null },
    default_payment_method: paymentMethodObject(customer.card),
    latest_invoice: invoice,
    items: list(itemsOf(row.id, row.items).map(({ id, lookupKey, quantity }) => ({ id, object: "subscription_item", quantity, price: priceObject(lookupKey, row.taxInclusive), ...periods })), "/v1/subscription_items"),
  };
}

export function customerObject(row: CustomerRow): object {
  return {
    id: row.id, object: "customer", email: row.email, name: row.name, created: seconds(row.createdAt), currency: row.currency.toLowerCase(),
    metadata: { accountId: row.accountId },
    // Below zero: owed to the customer.
    balance: -row.credit,
    invoice_settings: { default_payment_method: paymentMethodObject(row.card) },
  };
}

const wireBrands: Readonly<Record<string, string>> = { generic: "jcb" };

function cardObject(card: KeptCard | PaymentRow["card"]): object | null {
  if (!card) return null;
  return { brand: wireBrands[card.brand] ?? card.brand, last4: card.lastFour, exp_month: card.expiryMonth, exp_year: card.expiryYear };
}

const paymentMethodObject = (card: KeptCard | null): object | null => (card ? { id: "pm_fake", object: "payment_method", type: "card", card: cardObject(card) } : null);

interface Period {
  start: number;
  end: number;
}

const lineObject = (line: ProviderLine, index: number, period: Period): object => ({
  id: `il_${index}`, object: "line_item", description: line.label, quantity: line.quantity, amount: line.amount.amount, subtotal: line.amount.amount,
  currency: line.amount.currency.toLowerCase(), period: line.period ? { start: seconds(new Date(line.period.from)), end: seconds(new Date(line.period.to)) } : period,
  parent: { type: "subscription_item_details", invoice_item_details: null, subscription_item_details: { proration: line.isProration } },
});

function taxesOf(tax: ProviderTax | null, total: number): object[] {
  if (!tax) return [];
  const taxable = tax.inclusive ? total - tax.amount.amount : total - tax.amount.amount;
  return [{ amount: tax.amount.amount, tax_behavior: tax.inclusive ? "inclusive" : "exclusive", taxable_amount: taxable, type: "tax_rate_details", taxability_reason: "standard_rated", tax_rate_details: { tax_rate: "txr_fake" } }];
}

export interface PreviewFacts {
  bill: Bill;
  customer: CustomerRow;
  subscriptionId: string;
  period: Period;
  createdAt: Date;
}

/** Lines of a period that begins now carry that period; prorations the rest of the old one. */
export function previewObject({ bill, customer, subscriptionId, period, createdAt }: PreviewFacts): object {
  return {
    id: "upcoming_in_fake", object: "invoice", status: "draft", currency: customer.currency.toLowerCase(), created: seconds(createdAt), period_end: period.end,
    total: bill.total, amount_due: bill.due, amount_remaining: bill.due,
    starting_balance: -customer.credit, ending_balance: -bill.creditAfter,
    total_taxes: taxesOf(bill.tax, bill.total),
    lines: list(bill.lines.map((line, index) => lineObject(line, index, period)), "/v1/invoices/upcoming/lines"),
    parent: { type: "subscription_details", subscription_details: { subscription: subscriptionId, metadata: {} } },
    status_transitions: { finalized_at: null, paid_at: null },
  };
}

export interface InvoiceFacts {
  row: InvoiceRow;
  customer: CustomerRow;
  nextAttempt: Date | null;
  hostedUrl: string | null;
}

export function invoiceObject({ row, customer, nextAttempt, hostedUrl }: InvoiceFacts): object {
  const due = Math.max(0, row.total) - row.creditUsed;
  const at = seconds(row.issuedAt);
  return {
    id: row.id, object: "invoice", status: row.status === "refunded" ? "paid" : row.status, currency: row.currency.toLowerCase(), created: at, period_end: at,
    customer: row.customerId, customer_name: customer.details?.name ?? customer.name, customer_address: addressOf(customer), customer_tax_ids: customer.details?.vatId ? [{ type: "eu_vat", value: customer.details.vatId }] : [],
    total: row.total, amount_due: due, amount_remaining: row.status === "open" ? due : 0,
    starting_balance: -customer.credit - row.creditUsed, ending_balance: -customer.credit,
    next_payment_attempt: orNull(nextAttempt),
    hosted_invoice_url: hostedUrl,
    total_taxes: taxesOf(row.tax, row.total),
    lines: list(row.lines.map((line, index) => lineObject(line, index, { start: at, end: at })), `/v1/invoices/${row.id}/lines`),
    parent: { type: "subscription_details", subscription_details: { subscription: row.subscriptionId, metadata: { accountId: customer.accountId } } },
    payments: list([{ id: `inpay_${row.id}`, object: "invoice_payment", payment: { type: "payment_intent", payment_intent: intentOf(row.id) } }], "/v1/invoice_payments"),
    status_transitions: { finalized_at: at, paid_at: row.status === "paid" ? at : null },
    metadata: {},
  };
}

function addressOf({ details }: CustomerRow): object | null {
  if (!details) return null;
  const { line1, line2, postalCode, city, country } = details;
  return { line1, line2, postal_code: postalCode, city, country, state: null };
}

const intentOf = (invoiceId: string): string => `pi_${invoiceId}`;

export function chargeObject(payment: PaymentRow, currency: string, customerId: string): object {
  return {
    id: `ch_${payment.id}`, object: "charge", created: seconds(payment.at), amount: payment.amount, currency: currency.toLowerCase(), customer: customerId,
    status: payment.status === "refunded" ? "succeeded" : payment.status, refunded: payment.status === "refunded" && payment.reason !== chargebackReason, disputed: payment.reason === chargebackReason,
    failure_message: payment.status === "refunded" ? null : payment.reason,
    refunds: list(payment.status === "refunded" && payment.reason !== chargebackReason ? [{ id: `re_${payment.id}`, object: "refund", amount: payment.amount, currency: currency.toLowerCase(), created: seconds(payment.refundedAt ?? payment.at), status: "succeeded", charge: `ch_${payment.id}` }] : [], `/v1/charges/ch_${payment.id}/refunds`),
    payment_intent: intentOf(payment.invoiceId),
    payment_method_details: { type: "card", card: cardObject(payment.card) },
  };
}
