/** The sandbox's rows as Paddle's objects: snake case, amounts as texts, only members that Paddle has. */
import type { Bill } from "#apps/payments-sandbox/bill.ts";
import { chargebackReason } from "#apps/payments-sandbox/refund-invoice.ts";
import { fullLines, type Items } from "#apps/payments-sandbox/items.ts";
import type { CheckoutRow, CustomerRow, InvoiceRow, PaymentRow, SubscriptionRow } from "#apps/payments-sandbox/sandbox-rows.ts";
import type { PurchaseRequest } from "#apps/payments-sandbox/open-page.ts";
import type { KeptCard } from "#apps/payments-sandbox/test-cards.ts";
import type { ProviderLine, ProviderTax } from "#domain/billing/payment-provider.ts";

const text = (amount: number): string => String(amount);
const product = (name: string): object => ({ id: "pro_fake", name, tax_category: "saas", status: "active", created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" });

export const priceIdOf = (key: string): string => `pri_${key}`;
export const keyOf = (priceId: string): string => priceId.replace(/^pri_/, "");

export const priceObject = (key: string, taxInclusive = false): object => ({
  id: priceIdOf(key), product_id: "pro_fake", description: key, type: "standard", name: key, status: "active", tax_mode: taxInclusive ? "internal" : "external",
  billing_cycle: { interval: "month", frequency: 1 }, unit_price: { amount: "0", currency_code: "USD" }, unit_price_overrides: [], quantity: { minimum: 1, maximum: 10_000 },
  custom_data: { slipway: key }, created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z",
});

export function keysOf({ purchase }: Items): { key: string; quantity: number }[] {
  return [
    { key: purchase.planId, quantity: 1 },
    { key: `${purchase.planId}-executions`, quantity: purchase.extraExecutionUnits },
    { key: `${purchase.planId}-workflows`, quantity: purchase.extraWorkflowUnits },
  ].filter(({ quantity }) => quantity > 0);
}

export function subscriptionObject(row: SubscriptionRow, next: object | null): object {
  const isOver = row.status === "canceled" || row.status === "paused";
  return {
    id: row.id, status: row.status, customer_id: row.customerId, address_id: "add_fake", business_id: null, currency_code: row.currency,
    created_at: row.createdAt.toISOString(), updated_at: row.changedAt.toISOString(), started_at: row.createdAt.toISOString(), first_billed_at: row.createdAt.toISOString(),
    next_billed_at: isOver ? null : row.periodEndsAt.toISOString(),
    paused_at: row.pausedAt?.toISOString() ?? null, canceled_at: row.endedAt?.toISOString() ?? null,
    collection_mode: "automatic", billing_details: null, discount: null, billing_cycle: { interval: "month", frequency: 1 },
    current_billing_period: { starts_at: row.periodStartsAt.toISOString(), ends_at: row.periodEndsAt.toISOString() },
    scheduled_change: row.cancelsAtPeriodEnd ? { action: "cancel", effective_at: row.periodEndsAt.toISOString(), resume_at: null } : null,
    management_urls: null,
    items: keysOf(row.items).map(({ key, quantity }) => ({ status: "active", quantity, recurring: true, created_at: row.createdAt.toISOString(), updated_at: row.changedAt.toISOString(), price: priceObject(key, row.taxInclusive), product: product(key) })),
    custom_data: { accountId: row.accountId, planId: row.items.purchase.planId },
    next_transaction: next, recurring_transaction_details: null, import_meta: null,
  };
}

const rateOf = (tax: ProviderTax | null): number => (tax?.ratePercent ?? 0) / 100;

const lineItem = ({ label, quantity, amount, isProration }: ProviderLine, rate: number): object => {
  const tax = Math.round(amount.amount * rate);
  const totals = { subtotal: text(amount.amount), discount: "0", tax: text(tax), total: text(amount.amount + tax) };
  return {
    id: "txnitm_fake", price_id: "pri_fake", quantity, tax_rate: String(rate), unit_totals: totals, totals, product: product(label),
    proration: isProration ? { rate: "0.5", billing_period: { starts_at: "2026-01-01T00:00:00Z", ends_at: "2026-02-01T00:00:00Z" } } : null,
  };
};

const noPayout = { fee: null, earnings: null };

/** `charged` are the lines of a sum; what is given back stands in adjustments, its total as credit. */
function detailsOf(charged: readonly ProviderLine[], tax: number, rate: number, credit: number, due: number, creditToBalance: number, currency: string): object {
  const subtotal = charged.reduce((sum, { amount }) => sum + amount.amount, 0);
  return {
    tax_rates_used: [{ tax_rate: String(rate), totals: { subtotal: text(subtotal), discount: "0", tax: text(tax), total: text(subtotal + tax) } }],
    totals: {
      subtotal: text(subtotal), discount: "0", tax: text(tax), total: text(subtotal + tax), credit: text(credit), credit_to_balance: text(creditToBalance), balance: text(due),
      grand_total: text(due), grand_total_tax: text(tax), currency_code: currency, ...noPayout,
    },
    line_items: charged.map((line) => lineItem(line, rate)),
    payout_totals: null, adjusted_totals: null, adjusted_payout_totals: null,
  };
}

/** A sum that would be charged at `at`: for previews and for the next payment. */
export function nextTransactionObject(bill: Bill, currency: string, at: Date, creditToBalance: number): object {
  const rate = rateOf(bill.tax);
  const charged = bill.lines.filter(({ amount }) => amount.amount >= 0);
  const back = bill.lines.filter(({ amount }) => amount.amount < 0);
  const backSubtotal = -back.reduce((sum, { amount }) => sum + amount.amount, 0);
  const backTax = Math.round(backSubtotal * rate);
  const tax = (bill.tax?.amount.amount ?? 0) + backTax;
  const credit = bill.creditUsed + (back.length > 0 ? backSubtotal + backTax : 0);
  const totals = { subtotal: text(backSubtotal), tax: text(backTax), total: text(backSubtotal + backTax), fee: "0", earnings: "0", currency_code: currency };
  return {
    billing_period: { starts_at: at.toISOString(), ends_at: at.toISOString() },
    details: detailsOf(charged, tax, rate, credit, bill.due, creditToBalance, currency),
    adjustments: back.length > 0 ? [{ transaction_id: "txn_fake", items: [], totals }] : [],
  };
}

export function customerObject(row: CustomerRow): object {
  const at = row.createdAt.toISOString();
  return { id: row.id, name: row.name, email: row.email, marketing_consent: false, status: "active", locale: "en", custom_data: { accountId: row.accountId }, created_at: at, updated_at: at, import_meta: null };
}

const wireBrands: Readonly<Record<string, string>> = { amex: "american_express", generic: "jcb" };

export function methodObject(customerId: string, card: KeptCard, at: Date): object {
  return {
    id: "paymtd_fake", customer_id: customerId, address_id: "add_fake", type: "card", origin: "subscription", saved_at: at.toISOString(), updated_at: at.toISOString(),
    card: cardObject(card), paypal: null, underlying_details: null, south_korea_local_card: null,
  };
}

const cardObject = ({ brand, lastFour, expiryMonth, expiryYear }: Pick<KeptCard, "brand" | "lastFour" | "expiryMonth" | "expiryYear">): object => ({
  type: wireBrands[brand] ?? brand, last4: lastFour, expiry_month: expiryMonth, expiry_year: expiryYear, cardholder_name: "",
});

const attemptStatuses: Readonly<Record<string, string>> = { succeeded: "captured", refunded: "captured", failed: "error", pending: "created" };

const attemptObject = (payment: PaymentRow): object => ({
  payment_attempt_id: payment.id, stored_payment_method_id: payment.id, payment_method_id: "paymtd_fake", amount: text(payment.amount), status: attemptStatuses[payment.status],
  error_code: payment.reason === null || payment.status === "refunded" ? null : "declined", method_details: payment.card ? { type: "card", card: cardObject(payment.card), paypal: null } : null,
  created_at: payment.at.toISOString(), captured_at: payment.status === "failed" ? null : payment.at.toISOString(),
});

const common = { address_id: "add_fake", business_id: null, origin: "subscription_recurring", invoice_id: null, collection_mode: "automatic", discount_id: null, billing_details: null, items: [] };

/** All of an invoice's money, given back. */
export function adjustmentObject(row: InvoiceRow, action: "refund" | "chargeback" = "refund"): object {
  const at = row.issuedAt.toISOString();
  const totals = { subtotal: text(row.total), tax: text(row.tax?.amount.amount ?? 0), total: text(row.total), fee: "0", earnings: "0", currency_code: row.currency };
  return {
    id: `adj_${row.id}`, action, type: "full", transaction_id: row.id, subscription_id: row.subscriptionId, customer_id: row.customerId, reason: "asked", credit_applied_to_balance: false, currency_code: row.currency,
    status: "approved", items: [], totals, payout_totals: null, tax_rates_used: [], created_at: at, updated_at: at,
  };
}

/** An invoice of the sandbox is a transaction that was billed. */
export function transactionObject(row: InvoiceRow, payments: readonly PaymentRow[], customer: CustomerRow, isPastDue: boolean): object {
  const at = row.issuedAt.toISOString();
  const mine = payments.filter(({ invoiceId }) => invoiceId === row.id);
  const status = row.status === "open" ? (isPastDue ? "past_due" : "billed") : row.status === "void" ? "canceled" : "completed";
  const tax = row.tax?.amount.amount ?? 0;
  return {
    ...common,
    id: row.id, status, customer_id: row.customerId, custom_data: { accountId: customer.accountId }, currency_code: row.currency, subscription_id: row.subscriptionId,
    invoice_number: `1000-${row.number}`, billing_period: { starts_at: at, ends_at: at },
    details: detailsOf(row.lines, tax, rateOf(row.tax), row.creditUsed, Math.max(0, row.total) - row.creditUsed, 0, row.currency),
    payments: mine.map(attemptObject), checkout: null, created_at: at, updated_at: at, billed_at: at, revised_at: null,
    adjustments: row.status === "refunded" ? [adjustmentObject(row, mine.some(({ reason }) => reason === chargebackReason) ? "chargeback" : "refund")] : [],
    ...placeOf(customer, at),
  };
}

/** What is told of the buyer where it is asked for, by `include`. */
function placeOf({ id, details }: CustomerRow, at: string): object {
  if (!details) return { address: null, business: null };
  const times = { status: "active", custom_data: null, created_at: at, updated_at: at, import_meta: null };
  const address = { id: "add_fake", customer_id: id, description: null, first_line: details.line1, second_line: details.line2, city: details.city, postal_code: details.postalCode, region: null, country_code: details.country, ...times };
  const business = details.vatId ? { id: "biz_fake", customer_id: id, name: details.name, company_number: null, tax_identifier: details.vatId, contacts: [], ...times } : null;
  return { address, business };
}

/** A checkout of the sandbox is a transaction that waits for its customer. */
export function checkoutObject(page: CheckoutRow, url: string): object {
  const { items } = page.request as PurchaseRequest;
  const at = page.createdAt.toISOString();
  const subtotal = fullLines(items).reduce((sum, { amount }) => sum + amount.amount, 0);
  return {
    ...common,
    id: `txn_${page.id}`, status: page.state === "done" ? "completed" : "ready", customer_id: page.customerId, custom_data: null, currency_code: items.currency, subscription_id: page.subscriptionId,
    invoice_number: null, billing_period: null, details: detailsOf(fullLines(items), 0, 0, 0, subtotal, 0, items.currency), payments: [], checkout: { url }, created_at: at, updated_at: at, billed_at: null, revised_at: null,
  };
}
