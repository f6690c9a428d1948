/**
 * The sandbox's rows as Paddle's objects. Amounts are strings, and each object has its type from Paddle's package
 * (@paddle/paddle-node-sdk 3.10.0, types/index.d.ts, read 2026-11-22), so the compiler reports members that are missing or that Paddle does
 * not have. Nullable members are null wherever Paddle may omit them.
 */
import type {
  CurrencyCode,
  IAddressResponse,
  IAdjustmentResponse,
  IBusinessResponse,
  ICustomerResponse,
  INextTransactionResponse,
  IPaymentCardResponse,
  IPaymentMethodResponse,
  IPriceResponse,
  IProductResponse,
  ISubscriptionResponse,
  ITransactionDetailsResponse,
  ITransactionLineItemPreviewResponse,
  ITransactionLineItemResponse,
  ITransactionPaymentAttemptResponse,
  ITransactionResponse,
  PaymentCardType,
  TransactionStatus,
} from "@paddle/paddle-node-sdk";
import type { Bill } from "#payments/ledger/bill.ts";
import { fullLines, type Items } from "#payments/ledger/items.ts";
import type { CheckoutRow, CustomerRow, InvoiceRow, PaymentRow, SubscriptionRow } from "#payments/sandbox/sandbox-rows.ts";
import type { PurchaseRequest } from "#payments/sandbox/calls/open-page.ts";
import type { KeptCard } from "#payments/sandbox/test-cards.ts";
import type { OneTimeProduct } from "./paddle-world.ts";
import type { ProviderLine, ProviderTax } from "#payments/payment-provider.ts";

const text = (amount: number): string => String(amount);
const currencyCode = (currency: string): CurrencyCode => currency as CurrencyCode;
const product = (name: string, custom: IProductResponse["custom_data"] = null): IProductResponse => ({
  id: "pro_fake",
  name,
  description: null,
  image_url: null,
  custom_data: custom,
  tax_category: "saas",
  status: "active",
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
});

const priceIdOf = (key: string, currency: string): string => `pri_${key}_${currency.toLowerCase()}`;
export const keyOf = (priceId: string): string => priceId.replace(/^pri_/, "").replace(/_[a-z]{3}$/, "");
export const currencyOf = (priceId: string): string => priceId.slice(-3).toUpperCase();

export const priceObject = (key: string, unit: { amount: number; currency: string }, taxInclusive = false): IPriceResponse => ({
  id: priceIdOf(key, unit.currency),
  product_id: "pro_fake",
  description: key,
  type: "standard",
  name: null,
  status: "active",
  tax_mode: taxInclusive ? "internal" : "external",
  billing_cycle: { interval: "month", frequency: 1 },
  trial_period: null,
  unit_price: { amount: text(unit.amount), currency_code: currencyCode(unit.currency) },
  unit_price_overrides: [],
  quantity: { minimum: 1, maximum: 10_000 },
  custom_data: { slipway: key },
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
});

function keysOf({ purchase }: Items): { key: string; quantity: number }[] {
  return [
    { key: purchase.planId, quantity: 1 },
    { key: `${purchase.planId}-executions`, quantity: purchase.extraExecutionUnits },
    { key: `${purchase.planId}-workflows`, quantity: purchase.extraWorkflowUnits },
  ].filter(({ quantity }) => quantity > 0);
}

const intervals = { day: "day", month: "month", yr: "year" } as const;

export function subscriptionObject(row: SubscriptionRow, next: INextTransactionResponse | null): ISubscriptionResponse {
  const isOver = row.status === "canceled" || row.status === "paused";
  return {
    id: row.id,
    status: row.status as ISubscriptionResponse["status"],
    customer_id: row.customerId,
    address_id: "add_fake",
    business_id: null,
    currency_code: currencyCode(row.currency),
    created_at: row.createdAt.toISOString(),
    updated_at: row.changedAt.toISOString(),
    started_at: row.createdAt.toISOString(),
    first_billed_at: row.createdAt.toISOString(),
    next_billed_at: isOver ? null : row.periodEndsAt.toISOString(),
    paused_at: row.pausedAt?.toISOString() ?? null,
    canceled_at: row.endedAt?.toISOString() ?? null,
    collection_mode: "automatic",
    billing_details: null,
    discount: null,
    billing_cycle: { interval: intervals[row.items.cycle.unit], frequency: row.items.cycle.count },
    current_billing_period:
      row.status === "canceled" ? null : { starts_at: row.periodStartsAt.toISOString(), ends_at: row.periodEndsAt.toISOString() },
    scheduled_change: row.cancelsAtPeriodEnd ? { action: "cancel", effective_at: row.periodEndsAt.toISOString(), resume_at: null } : null,
    management_urls: null,
    items: keysOf(row.items).map(({ key, quantity }) => ({
      status: "active",
      quantity,
      recurring: true,
      created_at: row.createdAt.toISOString(),
      updated_at: row.changedAt.toISOString(),
      previously_billed_at: null,
      next_billed_at: null,
      trial_dates: null,
      price: priceObject(key, { amount: 0, currency: row.currency }, row.taxInclusive),
      product: product(key),
    })),
    custom_data: { accountId: row.accountId, planId: row.items.purchase.planId },
    next_transaction: next,
    recurring_transaction_details: null,
    import_meta: null,
  };
}

const rateOf = (tax: ProviderTax | null): number => (tax?.ratePercent ?? 0) / 100;

/** `discount` is part of the subtotal, and no tax is on it. */
const totalsOf = (subtotal: number, tax: number, discount = 0) => ({
  subtotal: text(subtotal),
  discount: text(discount),
  tax: text(tax),
  total: text(subtotal - discount + tax),
});

/** What was taken off a sum to make it `net`, by a discount in percent. */
const takenOff = (net: number, percentOff: number): number => Math.round((net * percentOff) / (100 - percentOff));

const spanOf = ({ from, to }: NonNullable<ProviderLine["period"]>) => ({ starts_at: from, ends_at: to });

const lineItem = (
  { label, quantity, amount, isProration, period }: ProviderLine,
  rate: number,
  oneTime: OneTimeProduct | undefined,
  percentOff: number,
): ITransactionLineItemResponse & ITransactionLineItemPreviewResponse => {
  const off = takenOff(amount.amount, percentOff);
  const totals = totalsOf(amount.amount + off, Math.round(amount.amount * rate), off);
  return {
    id: "txnitm_fake",
    price_id: "pri_fake",
    quantity,
    tax_rate: String(rate),
    unit_totals: totals,
    totals,
    product: product(label, oneTime?.custom_data as IProductResponse["custom_data"]),
    proration: isProration ? { rate: "0.5", billing_period: spanOf(period!) } : null,
  };
};

interface Sums {
  tax: number;
  rate: number;
  /** Deducted from the total: credits for older sums, and the customer's balance. */
  credit: number;
  due: number;
  creditToBalance: number;
  currency: string;
  percentOff?: number;
}

/** `charged` are a sum's lines; credits are in adjustments, with their total as credit. */
function detailsOf(
  charged: readonly ProviderLine[],
  { tax, rate, credit, due, creditToBalance, currency, percentOff = 0 }: Sums,
  products: readonly (OneTimeProduct | undefined)[] = [],
) {
  const off = charged.reduce((sum, { amount }) => sum + takenOff(amount.amount, percentOff), 0);
  const subtotal = charged.reduce((sum, { amount }) => sum + amount.amount, off);
  const totals = {
    ...totalsOf(subtotal, tax, off),
    credit: text(credit),
    credit_to_balance: text(creditToBalance),
    balance: text(due),
    grand_total: text(due),
    grand_total_tax: text(tax),
    currency_code: currencyCode(currency),
    fee: null,
    earnings: null,
  };
  return {
    tax_rates_used: [{ tax_rate: String(rate), totals: totalsOf(subtotal, tax, off) }],
    totals,
    line_items: charged.map((line, index) => lineItem(line, rate, products[index], percentOff)),
  };
}

const billedDetails = (
  charged: readonly ProviderLine[],
  sums: Sums,
  products?: readonly (OneTimeProduct | undefined)[],
): ITransactionDetailsResponse => ({
  ...detailsOf(charged, sums, products),
  payout_totals: null,
  adjusted_totals: null,
  adjusted_payout_totals: null,
});

/** A sum that would be charged at `at`: for previews and the next payment. */
export function nextTransactionObject(
  bill: Bill,
  currency: string,
  at: Date,
  creditToBalance: number,
  products?: readonly (OneTimeProduct | undefined)[],
  percentOff = 0,
): INextTransactionResponse {
  const rate = rateOf(bill.tax);
  const charged = bill.lines.filter(({ amount }) => amount.amount >= 0);
  const back = bill.lines.filter(({ amount }) => amount.amount < 0);
  const backSubtotal = -back.reduce((sum, { amount }) => sum + amount.amount, 0);
  const backTax = Math.round(backSubtotal * rate);
  const tax = (bill.tax?.amount.amount ?? 0) + backTax;
  const credit = bill.creditUsed + (back.length > 0 ? backSubtotal + backTax : 0);
  return {
    billing_period: { starts_at: at.toISOString(), ends_at: at.toISOString() },
    details: detailsOf(charged, { tax, rate, credit, due: bill.due, creditToBalance, currency, percentOff }, products),
    adjustments:
      back.length > 0 ? [{ transaction_id: "txn_fake", items: [], totals: adjustedTotals(backSubtotal + backTax, backTax, currency) }] : [],
  };
}

export function customerObject(row: CustomerRow): ICustomerResponse {
  const at = row.createdAt.toISOString();
  return {
    id: row.id,
    name: row.name || null,
    email: row.email,
    marketing_consent: false,
    status: "active",
    locale: "en",
    custom_data: row.accountId ? { accountId: row.accountId } : null,
    created_at: at,
    updated_at: at,
    import_meta: null,
  };
}

const wireBrands: Readonly<Record<string, PaymentCardType>> = { amex: "american_express", generic: "jcb" };

export function methodObject(customerId: string, card: KeptCard, at: Date): IPaymentMethodResponse {
  return {
    id: "paymtd_fake",
    customer_id: customerId,
    address_id: "add_fake",
    type: "card",
    origin: "subscription",
    saved_at: at.toISOString(),
    updated_at: at.toISOString(),
    card: cardObject(card),
    paypal: null,
    underlying_details: null,
    south_korea_local_card: null,
  };
}

const cardObject = ({
  brand,
  lastFour,
  expiryMonth,
  expiryYear,
}: Pick<KeptCard, "brand" | "lastFour" | "expiryMonth" | "expiryYear">): IPaymentCardResponse => ({
  type: wireBrands[brand] ?? (brand as PaymentCardType),
  last4: lastFour,
  expiry_month: expiryMonth ?? 0,
  expiry_year: expiryYear ?? 0,
  cardholder_name: "",
});

const attemptStatuses: Readonly<Record<PaymentRow["status"], ITransactionPaymentAttemptResponse["status"]>> = {
  succeeded: "captured",
  refunded: "captured",
  failed: "error",
};

const attemptObject = (payment: PaymentRow): ITransactionPaymentAttemptResponse => ({
  payment_attempt_id: payment.id,
  stored_payment_method_id: payment.id,
  payment_method_id: "paymtd_fake",
  amount: text(payment.amount),
  status: attemptStatuses[payment.status],
  error_code: payment.status === "failed" ? "declined" : null,
  method_details: payment.card
    ? { type: "card", card: cardObject(payment.card), paypal: null, south_korea_local_card: null, underlying_details: null }
    : null,
  created_at: payment.at.toISOString(),
  captured_at: payment.status === "failed" ? null : payment.at.toISOString(),
});

const common = {
  address_id: "add_fake",
  business_id: null,
  origin: "subscription_recurring" as const,
  invoice_id: null,
  collection_mode: "automatic" as const,
  discount_id: null,
  billing_details: null,
  items: [],
};

const adjustedTotals = (total: number, tax: number, currency: string) => ({
  subtotal: text(total - tax),
  tax: text(tax),
  total: text(total),
  fee: "0",
  earnings: "0",
  retained_fee: "0",
  currency_code: currencyCode(currency),
});

/** What a card was charged for the invoice: Paddle's grand total. */
export const chargedFor = (row: InvoiceRow): number => Math.max(0, row.total) - row.creditUsed;

export interface Adjusting {
  id: string;
  action: IAdjustmentResponse["action"];
  status: IAdjustmentResponse["status"];
  /** Minor units; everything charged, or a part of it. */
  amount: number;
}

/** A refund of an invoice's money, full or partial. */
export function adjustmentObject(row: InvoiceRow, { id, action, status, amount }: Adjusting): IAdjustmentResponse {
  const at = row.issuedAt.toISOString();
  return {
    id,
    action,
    status,
    type: amount === chargedFor(row) ? "full" : "partial",
    transaction_id: row.id,
    subscription_id: row.subscriptionId,
    customer_id: row.customerId,
    reason: "asked",
    credit_applied_to_balance: false,
    currency_code: currencyCode(row.currency),
    items: [],
    totals: adjustedTotals(amount, 0, row.currency),
    payout_totals: null,
    created_at: at,
    updated_at: at,
  };
}

interface Billed {
  row: InvoiceRow;
  payments: readonly PaymentRow[];
  customer: CustomerRow;
  isPastDue: boolean;
  adjustments: readonly IAdjustmentResponse[];
  products?: readonly (OneTimeProduct | undefined)[] | undefined;
  percentOff?: number;
}

/** A sandbox invoice as a billed transaction. `include`: the related objects requested; others are left out. */
export function transactionObject(
  { row, payments, customer, isPastDue, adjustments, products, percentOff = 0 }: Billed,
  include: ReadonlySet<string>,
): ITransactionResponse {
  const at = row.issuedAt.toISOString();
  const mine = payments.filter(({ invoiceId }) => invoiceId === row.id);
  const status: TransactionStatus =
    row.status === "open" ? (isPastDue ? "past_due" : "billed") : row.status === "void" ? "canceled" : "completed";
  const tax = row.tax?.amount.amount ?? 0;
  const billed =
    row.lines.find(({ period, isProration }) => period && !isProration)?.period ?? row.lines.find(({ period }) => period)?.period;
  const sums = {
    tax,
    rate: rateOf(row.tax),
    credit: row.creditUsed,
    due: chargedFor(row),
    creditToBalance: 0,
    currency: row.currency,
    percentOff,
  };
  return {
    ...common,
    // Custom data belong to the purchase; Paddle does not promise that renewals carry them.
    id: row.id,
    status,
    customer_id: row.customerId,
    custom_data: null,
    currency_code: currencyCode(row.currency),
    subscription_id: row.subscriptionId,
    invoice_number: `1000-${row.number}`,
    billing_period: billed ? spanOf(billed) : { starts_at: at, ends_at: at },
    details: billedDetails(row.lines, sums, products),
    payments: mine.map(attemptObject),
    checkout: null,
    created_at: at,
    updated_at: at,
    billed_at: at,
    revised_at: null,
    ...(include.has("adjustment") && { adjustments: adjustments.map((each) => ({ ...each, items: [] })) }),
    ...(include.has("customer") && { customer: customerObject(customer) }),
    ...(include.has("address") && { address: addressOf(customer, at) }),
    ...(include.has("business") && { business: businessOf(customer, at) }),
  };
}

const known = (at: string) => ({ status: "active" as const, custom_data: null, created_at: at, updated_at: at, import_meta: null });

function addressOf({ id, details }: CustomerRow, at: string): IAddressResponse | null {
  if (!details) return null;
  // Paddle's checkout asks for the country, and for a postal code where tax needs it; the rest stays null.
  return {
    id: "add_fake",
    customer_id: id,
    description: null,
    first_line: details.line1 || null,
    second_line: details.line2 || null,
    city: details.city || null,
    postal_code: details.postalCode || null,
    region: null,
    country_code: details.country as IAddressResponse["country_code"],
    ...known(at),
  };
}

function businessOf({ id, details }: CustomerRow, at: string): IBusinessResponse | null {
  return details?.vatId
    ? {
        id: "biz_fake",
        customer_id: id,
        name: details.name,
        company_number: null,
        tax_identifier: details.vatId,
        contacts: null,
        ...known(at),
      }
    : null;
}

/** A sandbox checkout as a transaction that waits for its customer. */
export function checkoutObject(page: CheckoutRow, url: string): ITransactionResponse {
  const { items } = page.request as PurchaseRequest;
  const at = page.createdAt.toISOString();
  const subtotal = fullLines(items).reduce((sum, { amount }) => sum + amount.amount, 0);
  return {
    ...common,
    id: `txn_${page.id}`,
    status: page.state === "done" ? "completed" : "ready",
    origin: "api",
    customer_id: page.customerId,
    address_id: null,
    custom_data: null,
    currency_code: currencyCode(items.currency),
    subscription_id: page.subscriptionId,
    invoice_number: null,
    billing_period: null,
    details: billedDetails(fullLines(items), { tax: 0, rate: 0, credit: 0, due: subtotal, creditToBalance: 0, currency: items.currency }),
    payments: [],
    checkout: { url: url || null },
    created_at: at,
    updated_at: at,
    billed_at: null,
    revised_at: null,
  };
}
