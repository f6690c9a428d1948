/** Translates the sandbox's rows into the port's objects. */
import { readNumbers } from "../kept-numbers.ts";
import type { ProviderCard, ProviderInvoice, ProviderStatus, ProviderSubscription } from "../payment-provider.ts";
import { chargebackReason, leftOf } from "./calls/refund-invoice.ts";
import type { CustomerRow, InvoiceRow, PaymentRow, SubscriptionRow } from "./sandbox-rows.ts";

const statuses: Readonly<Record<string, ProviderStatus>> = {
  active: "active",
  trialing: "trialing",
  past_due: "past_due",
  paused: "paused",
  canceled: "deleted",
};

export function subscriptionView(row: SubscriptionRow, customer: CustomerRow): ProviderSubscription {
  const { id, customerId, accountId, currency, periodStartsAt, periodEndsAt, pastDueAt, pausedAt, endedAt, taxInclusive, changedAt } = row;
  return {
    id,
    customerId,
    accountId,
    currency,
    periodStartsAt,
    periodEndsAt,
    pastDueAt,
    pausedAt,
    // Failed attempts stay on record through a pause that follows them.
    pausedOnRequest: row.status === "paused" && row.retries.length === 0,
    endedAt,
    taxInclusive,
    changedAt,
    status: statuses[row.status] ?? "unknown",
    providerStatus: row.status,
    purchase: row.items.purchase,
    cancelAt: row.cancelsAtPeriodEnd ? periodEndsAt : null,
    retries: row.retries,
    credit: { amount: customer.credit, currency },
    card: customer.card && cardView(customer.card),
  };
}

/** Leaves out the card's sandbox-only fields. */
const cardView = ({ brand, lastFour, expiryMonth, expiryYear }: ProviderCard): ProviderCard => ({
  brand,
  lastFour,
  expiryMonth,
  expiryYear,
});

const isTakenByBank = ({ reason }: Pick<PaymentRow, "reason">): boolean => reason === chargebackReason;

/** `customer`: their current details; the sandbox keeps no earlier ones. */
export function invoiceView(row: InvoiceRow, customer: CustomerRow | undefined, payments: readonly PaymentRow[]): ProviderInvoice {
  const { id, subscriptionId, issuedAt, status, lines, tax, currency } = row;
  const isDisputed = status === "refunded" && payments.some((payment) => payment.invoiceId === id && isTakenByBank(payment));
  return {
    id,
    subscriptionId,
    issuedAt,
    status: isDisputed ? "disputed" : status,
    lines,
    tax,
    // The sandbox is not the seller.
    number: null,
    takenBack: isDisputed ? "chargeback" : status === "refunded" ? "refund" : null,
    total: { amount: row.total, currency },
    creditUsed: { amount: row.creditUsed, currency },
    buyer: customer?.details ?? null,
    numbers: readNumbers(row.documentNumbers),
    refunds: [
      ...row.partRefunds.map((part) => ({ id: part.id, at: new Date(part.at), amount: { amount: part.amount, currency } })),
      // A full refund covers what earlier partial refunds had left.
      ...payments
        .filter((payment) => payment.invoiceId === id && payment.status === "refunded" && !isTakenByBank(payment))
        .map((payment) => ({
          id: `refund_${payment.id}`,
          at: payment.refundedAt ?? payment.at,
          amount: { amount: leftOf(row), currency },
        })),
    ],
    payments: payments
      .filter(({ invoiceId }) => invoiceId === id)
      .map((payment) => ({
        id: payment.id,
        at: payment.at,
        amount: { amount: payment.amount, currency },
        status: isTakenByBank(payment) ? ("disputed" as const) : payment.status,
        card: payment.card && cardView(payment.card),
        reason: payment.reason,
      })),
  };
}
