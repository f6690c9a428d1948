/** The fake's records as Stripe's objects, with the official package's types (stripe 23.1.0); nullable members may be null. */
import type Stripe from "stripe";
import type { KeptCard } from "#payments/sandbox/test-cards.ts";
import { extra, reference, referenceOrNull } from "./stripe-expand.ts";
import type {
  Charge,
  CheckoutSession,
  Customer,
  Dispute,
  Invoice,
  Line,
  Method,
  PendingItem,
  Price,
  Refund,
  Schedule,
  State,
  Subscription,
  Tax,
  TaxId,
} from "../stripe-state.ts";

/** A subset of an object's members, at every level; never ones that it does not have. */
export type Shown<Thing> = Thing extends (infer Each)[]
  ? Shown<Each>[]
  : Thing extends object
    ? { [Name in keyof Thing]?: Shown<Thing[Name]> }
    : Thing;

export interface List<Thing> {
  object: "list";
  url: string;
  has_more: boolean;
  data: Thing[];
}

export const list = <Thing extends object>(data: Thing[], url: string): List<Thing> => ({ object: "list", url, has_more: false, data });

export const priceObject = (price: Price, currency: string, inclusive: boolean): Shown<Stripe.Price> => ({
  id: price.id,
  object: "price",
  active: price.active,
  lookup_key: price.lookupKey,
  currency: "usd",
  type: "recurring",
  metadata: price.metadata,
  tax_behavior: inclusive ? "inclusive" : "exclusive",
  unit_amount: price.amounts[currency] ?? null,
  recurring: { interval: price.recurring.interval, interval_count: price.recurring.count, usage_type: "licensed" },
});

export function customerObject(state: State, row: Customer): Shown<Stripe.Customer | Stripe.DeletedCustomer> {
  if (row.deleted) return { id: row.id, object: "customer", deleted: true };
  return {
    id: row.id,
    object: "customer",
    created: row.created,
    email: row.email,
    name: row.name,
    metadata: row.metadata,
    balance: row.balance,
    livemode: true,
    address: row.address && { ...row.address, state: null },
    invoice_settings: {
      custom_fields: null,
      default_payment_method: methodOf(state, row.defaultMethod),
      footer: null,
      rendering_options: null,
    },
  };
}

const wireBrands: Readonly<Record<string, string>> = { generic: "jcb" };
const cardObject = (card: KeptCard): Shown<Stripe.PaymentMethod.Card> => ({
  brand: wireBrands[card.brand] ?? card.brand,
  last4: card.lastFour,
  exp_month: card.expiryMonth ?? 0,
  exp_year: card.expiryYear ?? 0,
});

export const methodObject = (method: Method): Shown<Stripe.PaymentMethod> => ({
  id: method.id,
  object: "payment_method",
  type: "card",
  created: method.created,
  customer: method.customer,
  card: cardObject(method.card),
});

const methodOf = (state: State, id: string | null): string | null =>
  referenceOrNull(id, (known) => methodObject(state.methods.get(known)!));
const customerOf = (state: State, id: string): string => reference(id, () => customerObject(state, state.customers.get(id)!));

export function subscriptionObject(state: State, row: Subscription): Shown<Stripe.Subscription> {
  const inclusive = state.isTaxInclusive(row.currency);
  return {
    id: row.id,
    object: "subscription",
    status: row.status,
    currency: row.currency.toLowerCase(),
    created: row.created,
    start_date: row.created,
    livemode: true,
    customer: customerOf(state, row.customer),
    metadata: row.metadata,
    billing_cycle_anchor: row.anchor,
    collection_method: "charge_automatically",
    cancel_at_period_end: row.cancelAtPeriodEnd,
    cancel_at: row.cancelAtPeriodEnd ? row.periodEnd : row.cancelAt,
    ended_at: row.endedAt,
    trial_end: row.trialEnd ?? null,
    pause_collection: row.pauseCollection ? { behavior: row.pauseCollection, resumes_at: null } : null,
    // `paused` is null if it was never paused; older API versions omit the whole object.
    status_details: {
      paused:
        row.pausedAt === null
          ? (null as never)
          : {
              transitioned_at: row.pausedAt,
              type: "subscription",
              subscription: { type: row.pauseType ?? "final_payment_failure" },
            },
    },
    default_payment_method: methodOf(state, row.defaultMethod),
    latest_invoice: referenceOrNull(row.latestInvoice, (id) => invoiceObject(state, state.invoices.get(id)!)),
    schedule: referenceOrNull(row.schedule, (id) => scheduleObject(state, state.schedules.get(id)!)),
    pending_update: row.pending && {
      billing_cycle_anchor: null,
      expires_at: row.pending.expiresAt,
      trial_end: null,
      trial_from_plan: null,
    },
    items: list(
      row.items.map(({ id, price, quantity }) => ({
        id,
        object: "subscription_item" as const,
        quantity,
        subscription: row.id,
        current_period_start: row.periodStart,
        current_period_end: row.periodEnd,
        price: priceObject(state.prices.get(price)!, row.currency, inclusive),
      })),
      "/v1/subscription_items",
    ),
  };
}

export function scheduleObject(state: State, row: Schedule): Shown<Stripe.SubscriptionSchedule> {
  const subscription = state.subscriptions.get(row.subscription)!;
  const current =
    row.phases.find(({ start, end }) => start <= subscription.periodStart && subscription.periodStart < end) ?? row.phases[0]!;
  const inclusive = state.isTaxInclusive(subscription.currency);
  return {
    id: row.id,
    object: "subscription_schedule",
    status: row.status,
    end_behavior: "release",
    customer: customerOf(state, subscription.customer),
    subscription: row.status === "active" ? row.subscription : null,
    released_subscription: row.status === "released" ? row.subscription : null,
    current_phase: row.status === "active" ? { start_date: current.start, end_date: current.end } : null,
    phases: row.phases.map(({ start, end, items }) => ({
      start_date: start,
      end_date: end,
      proration_behavior: "none",
      items: items.map(({ price, quantity }) => ({
        price: reference(price, () => priceObject(state.prices.get(price)!, subscription.currency, inclusive)),
        quantity,
      })),
    })),
  };
}

export const lineObject = (
  { label, quantity, amount, isProration, start, end, price, credits, metadata = {} }: Line,
  index: number,
  currency: string,
): Shown<Stripe.InvoiceLineItem> => ({
  id: `il_${index}`,
  object: "line_item",
  description: label,
  quantity,
  amount,
  subtotal: amount,
  currency: currency.toLowerCase(),
  period: { start, end },
  metadata,
  parent: {
    type: "subscription_item_details",
    invoice_item_details: null,
    subscription_item_details: {
      proration: isProration,
      invoice_item: null,
      proration_details: credits ? { credited_items: { invoice: credits, invoice_line_items: [] } } : null,
    },
  },
  pricing: { type: "price_details", price_details: { price, product: "prod_fake" }, unit_amount_decimal: null },
});

export const invoiceItemObject = ({ id, customer, metadata, line }: PendingItem): Shown<Stripe.InvoiceItem> => ({
  id,
  object: "invoiceitem",
  customer,
  metadata,
  amount: line.amount,
  description: line.label,
});

export const taxesOf = (tax: Tax | null): Shown<Stripe.Invoice.TotalTax>[] =>
  tax
    ? [
        {
          amount: tax.amount,
          tax_behavior: tax.inclusive ? "inclusive" : "exclusive",
          taxable_amount: tax.taxable,
          type: "tax_rate_details",
          taxability_reason: "standard_rated",
          tax_rate_details: { tax_rate: tax.rate },
        },
      ]
    : [];

export const discountsOf = (amount: number): Shown<Stripe.Invoice.TotalDiscountAmount>[] =>
  amount === 0 ? [] : [{ amount, discount: "di_fake" }];

/** A country's rate, under the id that `total_taxes` uses. */
export const taxRateObject = (id: string, permille: number): Shown<Stripe.TaxRate> => ({
  id,
  object: "tax_rate",
  active: true,
  display_name: "VAT",
  inclusive: false,
  percentage: permille / 10,
  effective_percentage: permille / 10,
  tax_type: "vat",
});

export const taxIdObject = ({ id, type, value }: TaxId, customer: string): Shown<Stripe.TaxId> => ({
  id,
  object: "tax_id",
  type,
  value,
  customer,
  verification: { status: "pending", verified_address: null, verified_name: null },
});

export const hostedUrlOf = (invoice: Invoice): string => `https://invoice.stripe.com/i/acct_fake/${invoice.id}`;

export function invoiceObject(state: State, row: Invoice): Shown<Stripe.Invoice> {
  const subscription = row.subscription === null ? null : state.subscriptions.get(row.subscription)!;
  const isFinal = row.finalizedAt !== null;
  const nextTry = row.status === "open" && subscription?.latestInvoice === row.id ? (subscription.tries[0] ?? null) : null;
  return {
    id: row.id,
    object: "invoice",
    status: row.status,
    currency: row.currency.toLowerCase(),
    created: row.created,
    period_end: row.created,
    billing_reason: row.reason,
    livemode: true,
    customer: customerOf(state, row.customer),
    metadata: row.metadata ?? {},
    customer_name: row.buyer.name,
    customer_address: row.buyer.address && { ...row.buyer.address, state: null },
    customer_tax_ids: row.buyer.taxIds.map(({ type, value }) => ({ type: type as Stripe.Invoice.CustomerTaxId.Type, value })),
    number: isFinal ? `FAKE-${row.id.slice(-4)}` : null,
    total: row.total,
    amount_due: row.amountDue,
    amount_paid: row.status === "paid" ? row.amountDue : 0,
    amount_remaining: row.status === "paid" ? 0 : row.amountDue,
    starting_balance: row.startingBalance,
    ending_balance: row.endingBalance,
    next_payment_attempt: nextTry,
    hosted_invoice_url: isFinal ? hostedUrlOf(row) : null,
    invoice_pdf: isFinal ? `${hostedUrlOf(row)}/pdf` : null,
    total_taxes: taxesOf(row.tax),
    total_discount_amounts: discountsOf(row.discount),
    lines: list(
      row.lines.map((line, index) => lineObject(line, index, row.currency)),
      `/v1/invoices/${row.id}/lines`,
    ),
    parent: subscription && {
      type: "subscription_details",
      quote_details: null,
      subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
    },
    payments: extra(() =>
      list(
        isFinal && row.amountDue > 0
          ? [
              {
                id: `inpay_${row.id}`,
                object: "invoice_payment" as const,
                status: row.status === "paid" ? "paid" : row.status === "void" ? "canceled" : "open",
                payment: { type: "payment_intent" as const, payment_intent: intentOf(row) },
              },
            ]
          : [],
        "/v1/invoice_payments",
      ),
    ),
    status_transitions: {
      finalized_at: row.finalizedAt,
      marked_uncollectible_at: null,
      paid_at: row.status === "paid" ? row.finalizedAt : null,
      voided_at: null,
    },
  };
}

export const intentIdOf = (invoiceId: string): string => `pi_${invoiceId}`;
const intentOf = (row: Invoice): string => reference(intentIdOf(row.id), () => intentObject(row));

export const intentObject = (row: Invoice): Shown<Stripe.PaymentIntent> => ({
  id: intentIdOf(row.id),
  object: "payment_intent",
  amount: row.amountDue,
  currency: row.currency.toLowerCase(),
  status: row.status === "void" ? "canceled" : row.intent.status,
  customer: row.customer,
  last_payment_error:
    row.intent.status === "requires_payment_method" && row.intent.reason
      ? { type: "card_error", code: "card_declined", message: row.intent.reason }
      : null,
});

export function chargeObject(state: State, row: Charge): Shown<Stripe.Charge> {
  return {
    id: row.id,
    object: "charge",
    created: row.created,
    amount: row.amount,
    amount_refunded: row.amountRefunded,
    currency: row.currency.toLowerCase(),
    customer: customerOf(state, row.customer),
    status: row.status,
    metadata: {},
    refunded: row.amountRefunded > 0 && row.amountRefunded === row.amount,
    disputed: [...state.disputes.values()].some(({ charge }) => charge === row.id),
    refunds: extra(() =>
      list([...state.refunds.values()].filter(({ charge }) => charge === row.id).map(refundObject), `/v1/charges/${row.id}/refunds`),
    ),
    failure_message: row.reason,
    payment_intent: intentIdOf(row.invoice),
    payment_method_details: row.card ? { type: "card", card: cardObject(row.card) as Stripe.Charge.PaymentMethodDetails.Card } : null,
  };
}

export const refundObject = (row: Refund): Shown<Stripe.Refund> => ({
  id: row.id,
  object: "refund",
  created: row.created,
  amount: row.amount,
  charge: row.charge,
  status: row.status,
});
/** A dispute names its charge but no customer. */
export const disputeObject = (state: State, row: Dispute): Shown<Stripe.Dispute> => ({
  id: row.id,
  object: "dispute",
  charge: row.charge,
  status: row.status,
  amount: state.charges.get(row.charge)!.amount,
});

export const checkoutObject = (row: CheckoutSession): Shown<Stripe.Checkout.Session> => ({
  id: row.id,
  object: "checkout.session",
  mode: "subscription",
  status: row.status,
  payment_status: row.status === "complete" ? "paid" : "unpaid",
  customer: row.customer,
  subscription: row.subscription,
  client_reference_id: row.reference,
  metadata: row.metadata,
  url: row.status === "open" ? `https://checkout.stripe.com/c/pay/${row.id}` : null,
});
