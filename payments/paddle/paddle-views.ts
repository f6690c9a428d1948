/** Translates Paddle's objects into the port's. Paddle writes amounts as strings of minor units. */
import type {
  CustomData,
  NextTransaction,
  PaymentMethod,
  Subscription,
  SubscriptionPreview,
  Transaction,
  TransactionPaymentAttempt,
} from "@paddle/paddle-node-sdk";
import type { Money } from "#contract/billing/money/money.ts";
import type { BillingDetails } from "#contract/billing/billing.ts";
import { say } from "#contract/sentences/say.ts";
import type {
  ProviderCard,
  ProviderInvoice,
  ProviderLine,
  ProviderStatus,
  ProviderSubscription,
  ProviderTax,
  UnpaidTime,
} from "../payment-provider.ts";
import { accountOf } from "./paddle-customers.ts";
import { ownItems, purchaseOf } from "./paddle-prices.ts";

export const minor = (text: string | null | undefined): number => Number.parseInt(text ?? "0", 10) || 0;
const date = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

const statuses: Readonly<Record<string, ProviderStatus>> = {
  active: "active",
  trialing: "trialing",
  past_due: "past_due",
  paused: "paused",
  canceled: "deleted",
};
const brands: Readonly<Record<string, ProviderCard["brand"]>> = {
  american_express: "amex",
  discover: "discover",
  maestro: "maestro",
  mastercard: "mastercard",
  visa: "visa",
};

type Card = { type: string; last4: string; expiryMonth: number; expiryYear: number };
const cardView = ({ type, last4, expiryMonth, expiryYear }: Card): ProviderCard => ({
  brand: brands[type] ?? "generic",
  lastFour: last4,
  expiryMonth,
  expiryYear,
});
const payPal: ProviderCard = { brand: "paypal", lastFour: "", expiryMonth: null, expiryYear: null };

export function methodView(method: PaymentMethod | undefined): ProviderCard | null {
  if (method?.paypal) return payPal;
  return method?.card ? cardView(method.card as Card) : null;
}

function attemptCard({ methodDetails }: TransactionPaymentAttempt): ProviderCard | null {
  if (methodDetails?.type === "paypal") return payPal;
  return methodDetails?.card ? cardView(methodDetails.card as Card) : null;
}

/** The card of the newest payment; `transactions` are newest first. */
export function cardOf(transactions: readonly Transaction[]): ProviderCard | null {
  const captured = transactions
    .flatMap(({ payments }) => payments)
    .filter(({ status, methodDetails }) => status === "captured" && methodDetails);
  const newest = captured.toSorted((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt))[0];
  return newest ? attemptCard(newest) : null;
}

interface SubscriptionFacts {
  subscription: Subscription;
  /** The subscription's unpaid transactions, newest first. */
  unpaid: readonly Transaction[];
  /** The newest transaction that its customer was asked to pay. */
  newest: Transaction | undefined;
  card: ProviderCard | null;
  /** Minor units. */
  credit: number;
}

export function subscriptionView({ subscription, unpaid, newest, card, credit }: SubscriptionFacts): ProviderSubscription {
  const { currentBillingPeriod: period, scheduledChange } = subscription;
  const status = statuses[subscription.status] ?? "unknown";
  const currency = subscription.currencyCode;
  const startsAt = date(period?.startsAt) ?? date(subscription.startedAt) ?? new Date(subscription.createdAt);
  const failed = (unpaid[0]?.payments ?? [])
    .filter(({ status: was }) => isFailed(was))
    .map(({ createdAt }) => new Date(createdAt))
    .toSorted((one, other) => one.getTime() - other.getTime());
  return {
    id: subscription.id,
    customerId: subscription.customerId,
    accountId: accountOf(subscription),
    status,
    providerStatus: subscription.status,
    purchase: purchaseOf(subscription.items),
    currency,
    periodStartsAt: startsAt,
    periodEndsAt: date(period?.endsAt) ?? startsAt,
    cancelAt: scheduledChange?.action === "cancel" ? date(scheduledChange.effectiveAt) : null,
    pastDueAt: status === "past_due" ? (failed[0] ?? date(unpaid[0]?.billedAt) ?? new Date(subscription.updatedAt)) : null,
    // Paddle does not say when it will retry.
    retries: failed.map((at) => ({ at, outcome: "failed" as const })),
    pausedAt: status === "paused" ? (date(subscription.pausedAt) ?? new Date(subscription.updatedAt)) : null,
    // Paddle does not say why. Where it gave up after failed payments, the newest one is unpaid.
    pausedOnRequest: status === "paused" && newest !== undefined && !unpaid.includes(newest),
    endedAt: date(subscription.canceledAt),
    credit: { amount: credit, currency },
    taxInclusive: ownItems(subscription.items).some(({ price }) => price.taxMode === "internal"),
    card,
    changedAt: new Date(subscription.updatedAt),
  };
}

const isFailed = (status: string): boolean =>
  status === "error" || status === "canceled" || status === "dropped" || status === "action_required";

/** Paddle writes tax rates as fractions: "0.19". */
const percent = (rate: string): number => Math.round(Number(rate) * 1e6) / 1e4;

interface Span {
  startsAt: string;
  endsAt: string;
}

interface Details {
  lineItems: readonly {
    quantity: number;
    totals: { subtotal: string; tax: string } | null;
    product: { name: string; customData?: CustomData | null } | null;
    proration?: { billingPeriod?: Span | null } | null;
  }[];
  taxRatesUsed: readonly { taxRate: string }[];
  totals: { discount?: string; tax: string; total: string; credit: string; creditToBalance: string; grandTotal: string } | null;
}

/** `whole`: the period used for lines that do not name their own. A discount that staff gave is the last line: subtotals are without it. */
function linesOf({ lineItems, totals: sums }: Details, currency: string, whole: Span | null = null): ProviderLine[] {
  const off = minor(sums?.discount);
  const lines = lineItems.map(({ quantity, totals, product, proration }) => {
    const used = unpaidSpan(product?.customData);
    return {
      label: product?.name ?? "",
      quantity,
      amount: { amount: minor(totals?.subtotal), currency },
      isProration: Boolean(proration ?? used),
      ...periodOf(used ?? (proration ? proration.billingPeriod : whole)),
    };
  });
  return off === 0 ? lines : [...lines, { label: say("discount"), quantity: 1, amount: { amount: -off, currency }, isProration: false }];
}

/** Marks a charge for time that was used before a pause, which Paddle bills without a period. */
export const unpaidMark = ({ from, to }: UnpaidTime) => ({ slipway: "unpaid-time", from: from.toISOString(), to: to.toISOString() });

export function unpaidSpan(mark: CustomData | null | undefined): Span | null {
  const { slipway, from, to } = (mark ?? {}) as Partial<ReturnType<typeof unpaidMark>>;
  return slipway === "unpaid-time" && from && to ? { startsAt: from, endsAt: to } : null;
}

const periodOf = (span: Span | null | undefined): Pick<ProviderLine, "period"> =>
  span ? { period: { from: span.startsAt, to: span.endsAt } } : {};

function taxOf({ taxRatesUsed }: Details, amount: number, currency: string): ProviderTax | null {
  const rates = [...new Set(taxRatesUsed.map(({ taxRate }) => taxRate))];
  // Subtotals exclude tax, so tax is always added to the lines.
  return amount === 0
    ? null
    : { name: say("tax"), ratePercent: rates.length === 1 ? percent(rates[0]!) : null, amount: { amount, currency }, inclusive: false };
}

interface QuotedSums {
  lines: ProviderLine[];
  tax: ProviderTax | null;
  dueNow: Money;
  creditToBalance: number;
  creditUsed: number;
}

/** What is charged immediately: new lines, with credit for old ones as adjustments. */
export function immediateSums(preview: SubscriptionPreview): QuotedSums {
  const currency = preview.currencyCode;
  const now = preview.immediateTransaction;
  if (!now) return { lines: [], tax: null, dueNow: { amount: 0, currency }, creditToBalance: 0, creditUsed: 0 };
  const back = now.adjustments.map(({ totals }) => ({
    subtotal: minor(totals?.subtotal),
    tax: minor(totals?.tax),
    total: minor(totals?.total),
  }));
  const lines = [
    ...linesOf(now.details, currency),
    ...back.map(({ subtotal }) => ({ label: say("unused"), quantity: 1, amount: { amount: -subtotal, currency }, isProration: true })),
  ];
  const { totals } = now.details;
  const creditUsed = Math.max(0, minor(totals.credit) - back.reduce((sum, { total }) => sum + total, 0));
  if (creditUsed > 0) lines.push({ label: say("credit"), quantity: 1, amount: { amount: -creditUsed, currency }, isProration: true });
  const tax = minor(totals.tax) - back.reduce((sum, each) => sum + each.tax, 0);
  return {
    lines,
    tax: taxOf(now.details, tax, currency),
    dueNow: { amount: minor(totals.grandTotal), currency },
    creditToBalance: minor(totals.creditToBalance),
    creditUsed,
  };
}

/** What each period costs, before any credit. */
export function recurringSums(
  details: Details | null,
  currency: string,
): { lines: ProviderLine[]; tax: ProviderTax | null; total: number } {
  if (!details?.totals) return { lines: [], tax: null, total: 0 };
  return {
    lines: linesOf(details, currency),
    tax: taxOf(details, minor(details.totals.tax), currency),
    total: minor(details.totals.total),
  };
}

/** What is owed on an open payment; credit is the last line. */
export function openSums({ details, currencyCode: currency }: Transaction): {
  lines: ProviderLine[];
  tax: ProviderTax | null;
  amount: number;
} {
  if (!details?.totals) return { lines: [], tax: null, amount: 0 };
  const credit = minor(details.totals.credit);
  const lines = linesOf(details as Details, currency);
  return {
    lines:
      credit > 0 ? [...lines, { label: say("credit"), quantity: 1, amount: { amount: -credit, currency }, isProration: false }] : lines,
    tax: taxOf(details as Details, minor(details.totals.tax), currency),
    amount: minor(details.totals.grandTotal),
  };
}

/** Lines and tax of a renewal; credit is the last line. */
export function renewalSums(next: NextTransaction, currency: string): { lines: ProviderLine[]; tax: ProviderTax | null } {
  return { lines: nextPaymentView(next, currency).lines, tax: taxOf(next.details, minor(next.details.totals.tax), currency) };
}

export function nextPaymentView(
  { billingPeriod, details }: NextTransaction,
  currency: string,
): { at: Date; amount: Money; tax: Money; lines: ProviderLine[] } {
  const credit = minor(details.totals.credit);
  const lines = [
    ...linesOf(details, currency),
    ...(credit > 0 ? [{ label: say("credit"), quantity: 1, amount: { amount: -credit, currency }, isProration: false }] : []),
  ];
  return {
    at: new Date(billingPeriod.startsAt),
    amount: { amount: minor(details.totals.grandTotal), currency },
    tax: { amount: minor(details.totals.tax), currency },
    lines,
  };
}

const invoiceStatuses: Readonly<Record<string, ProviderInvoice["status"]>> = {
  billed: "open",
  past_due: "open",
  paid: "paid",
  completed: "paid",
  canceled: "void",
};

/** Null for drafts, open checkouts and sums of zero, which no customer was asked to pay. */
export function invoiceView(transaction: Transaction): ProviderInvoice | null {
  const { details, currencyCode: currency } = transaction;
  const status = invoiceStatuses[transaction.status];
  const total = minor(details?.totals?.total);
  if (!status || !details?.totals || total === 0 || (status === "void" && transaction.payments.length === 0)) return null;
  const adjustments = transaction.adjustments ?? [];
  const isWithdrawn = adjusted(adjustments, "chargeback") > adjusted(adjustments, "chargeback_reverse");
  // Credit was charged to no card, so the invoice counts as refunded once everything that was charged is returned.
  const charged = minor(details.totals.grandTotal);
  const isGivenBack = charged > 0 && adjusted(adjustments, "refund") >= charged;
  const takenBack = isGivenBack ? ("refunded" as const) : isWithdrawn ? ("disputed" as const) : null;
  return {
    id: transaction.id,
    subscriptionId: transaction.subscriptionId,
    number: transaction.invoiceNumber,
    issuedAt: new Date(transaction.billedAt ?? transaction.createdAt),
    status: takenBack ?? status,
    takenBack: isWithdrawn ? "chargeback" : isGivenBack ? "refund" : null,
    refunds: adjustments
      .filter(({ action, status: agreed }) => action === "refund" && agreed === "approved")
      .map(({ id, updatedAt, totals }) => ({ id, at: new Date(updatedAt), amount: { amount: minor(totals?.total), currency } })),
    lines: linesOf(details as Details, currency, transaction.billingPeriod),
    tax: taxOf(details as Details, minor(details.totals.tax), currency),
    total: { amount: total, currency },
    creditUsed: { amount: minor(details.totals.credit), currency },
    buyer: buyerOf(transaction),
    payments: transaction.payments
      .map((attempt) => ({
        id: attempt.paymentAttemptId,
        at: new Date(attempt.createdAt),
        amount: { amount: minor(attempt.amount), currency },
        status:
          attempt.status === "captured"
            ? (takenBack ?? ("succeeded" as const))
            : isFailed(attempt.status)
              ? ("failed" as const)
              : ("pending" as const),
        card: attemptCard(attempt),
        reason: attempt.errorCode ? words(attempt.errorCode) : null,
      }))
      .toSorted((one, other) => one.at.getTime() - other.at.getTime()),
  };
}

const agreed: ReadonlySet<string> = new Set(["approved"]);

/**
 * The sum of the adjustments of one kind, in minor units. Only approved ones count unless other states are given: a
 * pending one has moved no money.
 */
export const adjusted = (
  adjustments: readonly { action: string; status: string; totals: { total: string } | null }[],
  kind: string,
  counting = agreed,
): number =>
  adjustments
    .filter(({ action, status }) => action === kind && counting.has(status))
    .reduce((sum, { totals }) => sum + minor(totals?.total), 0);

/** As entered at Paddle's checkout; null without an address. */
function buyerOf({ address, business, customer }: Transaction): BillingDetails | null {
  if (!address) return null;
  const { firstLine, secondLine, postalCode, city, countryCode } = address;
  return {
    name: business?.name ?? customer?.name ?? "",
    line1: firstLine ?? "",
    line2: secondLine ?? "",
    postalCode: postalCode ?? "",
    city: city ?? "",
    country: countryCode,
    vatId: business?.taxIdentifier ?? "",
  };
}

const words = (code: string): string => say("paymentFailed", { code: code.replaceAll("_", " ") });
