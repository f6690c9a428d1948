/** Translates Stripe's objects into the port's. Stripe's times are in seconds; amounts are minor units, as here. */
import type Stripe from "stripe";
import type { BillingDetails } from "#contract/billing/billing.ts";
import { say } from "#contract/sentences/say.ts";
import type {
  ProviderCard,
  ProviderInvoice,
  ProviderLine,
  ProviderStatus,
  ProviderSubscription,
  ProviderTax,
  Purchase,
} from "../payment-provider.ts";
import { readNumbers } from "../kept-numbers.ts";
import { moneyOf, upper } from "./prices/stripe-money.ts";
import { mainItem, ownItems, purchaseOf } from "./prices/stripe-prices.ts";
import type { TaxRates } from "./stripe-world.ts";

export const toDate = (seconds: number): Date => new Date(seconds * 1000);
const orNull = (seconds: number | null | undefined): Date | null => (seconds ? toDate(seconds) : null);

/** Stripe may add to its enums. A value that is not listed becomes `unknown` and changes nothing. */
const statuses: Readonly<Record<string, ProviderStatus>> = {
  trialing: "trialing",
  active: "active",
  past_due: "past_due",
  unpaid: "paused",
  paused: "paused",
  canceled: "deleted",
  incomplete_expired: "deleted",
  incomplete: "pending",
};

const brands: Readonly<Record<string, ProviderCard["brand"]>> = {
  amex: "amex",
  discover: "discover",
  mastercard: "mastercard",
  visa: "visa",
  maestro: "maestro",
};

function cardOf(method: Stripe.PaymentMethod | null | undefined): ProviderCard | null {
  if (!method) return null;
  if (method.type === "paypal") return { brand: "paypal", lastFour: "", expiryMonth: null, expiryYear: null };
  const { card } = method;
  return card
    ? { brand: brands[card.brand] ?? "generic", lastFour: card.last4, expiryMonth: card.exp_month, expiryYear: card.exp_year }
    : null;
}

/** The object if the reference was expanded, otherwise null. */
export const expanded = <Thing extends object>(value: string | Thing | null | undefined): Thing | null =>
  typeof value === "object" ? (value ?? null) : null;
export const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === "string" ? value : (value?.id ?? null);

/** The subscription's customer; null if it is not expanded, or deleted: Stripe then keeps only its id. */
export function customerOf({ customer }: Pick<Stripe.Subscription, "customer">): Stripe.Customer | null {
  const known = expanded(customer);
  return known && !known.deleted ? known : null;
}

/** What is billed from the next period: the items, unless a schedule replaces them. */
export function billedNext({ items, schedule }: Stripe.Subscription): Purchase | null {
  const periodEnd = mainItem(items.data)?.current_period_end ?? 0;
  const phase = expanded(schedule)?.phases.find(({ start_date: start }) => start >= periodEnd);
  return purchaseOf(phase ? phase.items.map(({ price, quantity }) => ({ price: price as Stripe.Price, quantity })) : items.data);
}

/** API versions without the type of a pause count it as a debt, as do pauses that Stripe makes itself. */
function isRequested({ status, status_details: details }: Stripe.Subscription): boolean {
  const paused = details?.paused as Stripe.Subscription.StatusDetails.Paused | null | undefined;
  return (
    status === "paused" &&
    (paused?.subscription as Stripe.Subscription.StatusDetails.Paused.Subscription | undefined)?.type === "pause_requested"
  );
}

/** A renewal begins its period with a draft, which is charged about an hour later. */
function awaitsRenewal({ status, pause_collection: paused }: Stripe.Subscription, invoice: Stripe.Invoice | null): boolean {
  return status === "active" && !paused && invoice?.status === "draft" && invoice.billing_reason === "subscription_cycle";
}

/** Expects `customer`, `default_payment_method` and `latest_invoice` expanded. `charges` are those of an open invoice, oldest first. */
export function subscriptionView(subscription: Stripe.Subscription, charges: readonly Stripe.Charge[], readAt: Date): ProviderSubscription {
  const customer = customerOf(subscription);
  const invoice = expanded(subscription.latest_invoice);
  const first = mainItem(subscription.items.data);
  const status = statuses[subscription.status] ?? "unknown";
  const periodEndsAt = toDate(first?.current_period_end ?? subscription.created);
  const inDebt = status === "past_due" || status === "paused";
  const failed = inDebt
    ? charges.filter((charge) => charge.status === "failed").map((charge) => ({ at: toDate(charge.created), outcome: "failed" as const }))
    : [];
  const planned =
    status === "past_due" && invoice?.next_payment_attempt
      ? [{ at: toDate(invoice.next_payment_attempt), outcome: "planned" as const }]
      : [];
  const currency = upper(subscription.currency);
  return {
    id: subscription.id,
    customerId: idOf(subscription.customer) ?? "",
    accountId: subscription.metadata["accountId"] ?? null,
    status,
    providerStatus: subscription.status,
    purchase: billedNext(subscription),
    currency,
    periodStartsAt: toDate(first?.current_period_start ?? subscription.created),
    periodEndsAt,
    cancelAt: subscription.cancel_at_period_end ? periodEndsAt : orNull(subscription.cancel_at),
    pastDueAt:
      status === "past_due" ? (failed[0]?.at ?? orNull(invoice?.status_transitions.finalized_at) ?? orNull(invoice?.created)) : null,
    unpaidFrom:
      status === "past_due" || subscription.status === "unpaid" || awaitsRenewal(subscription, invoice)
        ? toDate(first?.current_period_start ?? subscription.created)
        : null,
    retries: [...failed, ...planned],
    pausedAt:
      status === "paused"
        ? (orNull((subscription.status_details?.paused as Stripe.Subscription.StatusDetails.Paused | null)?.transitioned_at) ??
          failed.at(-1)?.at ??
          orNull(invoice?.created))
        : null,
    pausedOnRequest: status === "paused" && isRequested(subscription),
    endedAt: orNull(subscription.ended_at),
    // A negative balance is credit.
    credit: moneyOf(Math.max(0, -(customer?.balance ?? 0)), currency),
    taxInclusive: ownItems(subscription.items.data).some(({ price }) => price.tax_behavior === "inclusive"),
    card: cardOf(expanded(subscription.default_payment_method) ?? expanded(customer?.invoice_settings.default_payment_method)),
    changedAt: readAt,
  };
}

/** Marks what we add to an invoice for time that was used before a pause; to Stripe it is no proration. */
export const unpaidMark = { slipway: "unpaid-time" };

/** All lines; what a coupon of staff's takes off is the last one, since Stripe's own lines are without it. */
export function linesOf(invoice: Stripe.Invoice): ProviderLine[] {
  const off = (invoice.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
  const discount = { label: say("discount"), quantity: 1, amount: moneyOf(-off, invoice.currency), isProration: false };
  return off === 0 ? invoice.lines.data.map(lineView) : [...invoice.lines.data.map(lineView), discount];
}

export function lineView(line: Stripe.InvoiceLineItem): ProviderLine {
  const { subscription_item_details: ofItem, invoice_item_details: ofAdded } = line.parent ?? {};
  const isProration = (ofItem?.proration ?? ofAdded?.proration ?? false) || line.metadata["slipway"] === unpaidMark.slipway;
  const period = { from: toDate(line.period.start).toISOString(), to: toDate(line.period.end).toISOString() };
  return { label: line.description ?? "", quantity: line.quantity ?? 1, amount: moneyOf(line.amount, line.currency), isProration, period };
}

/** The credit that pays part of an invoice; none if nothing is due. */
export const creditLine = ({ total, currency }: Stripe.Invoice, used: number): ProviderLine[] =>
  used > 0 && total > 0 ? [{ label: say("credit"), quantity: 1, amount: moneyOf(-used, currency), isProration: false }] : [];

/** `rates` contains those that the invoice names. */
export function taxView(invoice: Stripe.Invoice, rates: TaxRates): ProviderTax | null {
  const taxes = (invoice.total_taxes ?? []).filter((tax) => tax.amount !== 0);
  if (taxes.length === 0) return null;
  const amount = taxes.reduce((total, tax) => total + tax.amount, 0);
  const rate = rates.get(taxes[0]!.tax_rate_details?.tax_rate ?? "");
  const isOneRate = taxes.every((tax) => tax.tax_rate_details?.tax_rate === rate?.id);
  return {
    name: (isOneRate && rate?.display_name) || say("tax"),
    ratePercent: isOneRate && rate ? (rate.effective_percentage ?? rate.percentage) : null,
    amount: moneyOf(amount, invoice.currency),
    inclusive: taxes.every((tax) => tax.tax_behavior === "inclusive"),
  };
}

const invoiceStatuses: Readonly<Record<string, ProviderInvoice["status"]>> = {
  paid: "paid",
  open: "open",
  uncollectible: "open",
  void: "void",
};

/** The buyer as Stripe froze it with the invoice; null without an address. */
function buyerOf({ customer_address: address, customer_name: name, customer_tax_ids: taxIds }: Stripe.Invoice): BillingDetails | null {
  if (!address?.country) return null;
  const { line1, line2, postal_code: postalCode, city, country } = address;
  return {
    name: name ?? "",
    line1: line1 ?? "",
    line2: line2 ?? "",
    postalCode: postalCode ?? "",
    city: city ?? "",
    country,
    vatId: taxIds?.[0]?.value ?? "",
  };
}

/** Dispute states in which the money is ours: while a bank only inquires, or once it has decided in our favour. */
const harmless: ReadonlySet<string> = new Set(["won", "prevented", "warning_closed", "warning_needs_response", "warning_under_review"]);
export const isWithdrawn = ({ status }: Pick<Stripe.Dispute, "status">): boolean => !harmless.has(status);

interface InvoiceFacts {
  charges: readonly Stripe.Charge[];
  /** Ids of charges whose money a bank took back. */
  withdrawn: ReadonlySet<string>;
  rates: TaxRates;
}

/**
 * Null for drafts, invoices of zero, and changes that were never paid and so never made: customers do not see these. Below zero: a credit.
 */
export function invoiceView(invoice: Stripe.Invoice, { charges, withdrawn, rates }: InvoiceFacts): ProviderInvoice | null {
  const status = invoiceStatuses[invoice.status ?? "draft"];
  if (!status || invoice.total === 0) return null;
  if (invoice.billing_reason === "subscription_update" && status !== "paid") return null;
  const currency = upper(invoice.currency);
  const tries = chargesOf(invoice, charges);
  const isWithdrawn = tries.some(({ id }) => withdrawn.has(id));
  const isRefunded = tries.some((charge) => charge.refunded);
  const refunds = tries.flatMap((charge) => charge.refunds?.data ?? []);
  return {
    id: invoice.id ?? "",
    subscriptionId: idOf(invoice.parent?.subscription_details?.subscription),
    // We are the seller, so the number on the invoice is ours.
    number: null,
    issuedAt: toDate(invoice.status_transitions.finalized_at ?? invoice.created),
    status: isRefunded ? "refunded" : isWithdrawn ? "disputed" : status,
    takenBack: isWithdrawn ? "chargeback" : isRefunded ? "refund" : null,
    lines: linesOf(invoice),
    tax: taxView(invoice, rates),
    total: moneyOf(invoice.total, currency),
    creditUsed: moneyOf(Math.max(0, invoice.total - invoice.amount_due), currency),
    buyer: buyerOf(invoice),
    corrects: creditedBy(invoice),
    refunds: refunds
      .filter(({ status: of }) => of === "succeeded")
      .map(({ id, created, amount }) => ({ id, at: toDate(created), amount: moneyOf(amount, currency) })),
    numbers: readNumbers(invoice.metadata ?? {}),
    failedRefunds: refunds.filter(({ status: of }) => of === "failed" || of === "canceled").map(({ id }) => id),
    payments: tries.map((charge) => ({
      id: charge.id,
      at: toDate(charge.created),
      amount: moneyOf(charge.amount, currency),
      status: charge.refunded
        ? "refunded"
        : withdrawn.has(charge.id)
          ? "disputed"
          : charge.status === "succeeded"
            ? "succeeded"
            : charge.status === "pending"
              ? "pending"
              : "failed",
      card: chargeCard(charge),
      reason: charge.failure_message,
    })),
  };
}

/** A crediting proration names the invoice that charged its time. */
function creditedBy({ lines }: Stripe.Invoice): string[] {
  const items = lines.data.map(
    ({ parent }) => (parent?.subscription_item_details ?? parent?.invoice_item_details)?.proration_details?.credited_items?.invoice,
  );
  return [...new Set(items.filter((id) => typeof id === "string"))];
}

/** The attempts to pay this invoice, oldest first. */
export function chargesOf(invoice: Stripe.Invoice, charges: readonly Stripe.Charge[]): Stripe.Charge[] {
  const intents = new Set((invoice.payments?.data ?? []).map(({ payment }) => idOf(payment.payment_intent)));
  return charges.filter((charge) => intents.has(idOf(charge.payment_intent))).toSorted((one, other) => one.created - other.created);
}

function chargeCard({ payment_method_details: details }: Stripe.Charge): ProviderCard | null {
  if (details?.type === "paypal") return { brand: "paypal", lastFour: "", expiryMonth: null, expiryYear: null };
  const card = details?.card;
  return card
    ? { brand: brands[card.brand ?? ""] ?? "generic", lastFour: card.last4 ?? "", expiryMonth: card.exp_month, expiryYear: card.exp_year }
    : null;
}
