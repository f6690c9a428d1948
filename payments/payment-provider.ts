/**
 * The port to the payment provider. An adapter knows its provider's calls and terms, and nothing about accounts, mail or
 * workspaces. An event only says that something changed; the current state is always read again (`readSubscription`), so
 * events may arrive twice, late, out of order or never.
 */
import type { BillingDetails } from "#contract/billing/billing.ts";
import type { Money } from "#contract/billing/money/money.ts";

/**
 * A name from the list in providers.ts, in test mode with `-test`. Rows keep the names of providers that are no longer configured, so what was
 * bought with test keys is never taken for a sale.
 */
export type PaymentProviderName = string;

const testEnding = "-test";
/** The name under which rows of a provider are stored in test mode. */
export const testNameOf = (name: string): PaymentProviderName => `${name}${testEnding}`;
/** The name without its mode, as in the PAYMENTS setting and the address of webhooks. */
export const kindNameOf = (name: PaymentProviderName): string => (name.endsWith(testEnding) ? name.slice(0, -testEnding.length) : name);
/** Which count of invoice numbers its documents belong to: those of test purchases leave no gap in the sold ones. */
export const seriesOf = (name: PaymentProviderName): "live" | "test" | "sandbox" =>
  name === "sandbox" ? "sandbox" : name.endsWith(testEnding) ? "test" : "live";

/**
 * The product's five statuses and two more: `pending`, whose first payment is not made yet, and `unknown`, a provider
 * status that we do not recognise.
 */
export type ProviderStatus = "active" | "trialing" | "past_due" | "paused" | "deleted" | "pending" | "unknown";

/** What is billed: a plan from the catalogue, and extra units of each quota beyond what the plan includes. */
export interface Purchase {
  planId: string;
  /** Units of `custom_quotas.monthlyExecutions.per` beyond what is included. */
  extraExecutionUnits: number;
  extraWorkflowUnits: number;
}

export interface CheckoutRequest {
  accountId: string;
  email: string;
  name: string;
  purchase: Purchase;
  /** ISO 4217, upper case; set by the account's first purchase. */
  currency: string;
  /** Set if the account has paid before. */
  customerId: string | null;
  details: BillingDetails | null;
  successUrl: string;
  cancelUrl: string;
}

export interface ProviderCard {
  brand: "generic" | "amex" | "discover" | "maestro" | "mastercard" | "paypal" | "visa";
  lastFour: string;
  expiryMonth: number | null;
  expiryYear: number | null;
}

export interface ProviderSubscription {
  id: string;
  customerId: string;
  /** As passed to the checkout; null if the provider has lost it. */
  accountId: string | null;
  status: ProviderStatus;
  /** The provider's own status, for logs. */
  providerStatus: string;
  /** Null: it bills something that is not in our catalogue. */
  purchase: Purchase | null;
  currency: string;
  periodStartsAt: Date;
  periodEndsAt: Date;
  cancelAt: Date | null;
  pastDueAt: Date | null;
  /** Start of the running period while its payment is still to come; absent: it is paid, unless the subscription is past due. */
  unpaidFrom?: Date | null;
  /** Attempts to collect the open payment: past ones with their outcome, and planned ones where the provider tells. */
  retries: readonly { at: Date; outcome: "failed" | "planned" }[];
  pausedAt: Date | null;
  /** Paused because somebody asked for it, not because payments failed: nothing is owed. */
  pausedOnRequest?: boolean;
  endedAt: Date | null;
  /** Owed to the customer and deducted from the next payment; minor units. */
  credit: Money;
  taxInclusive: boolean;
  card: ProviderCard | null;
  /** When the provider last changed it. */
  changedAt: Date;
}

export interface ProviderLine {
  label: string;
  quantity: number;
  amount: Money;
  isProration: boolean;
  /** The time that the line charges or credits, if the provider says; ISO times, end exclusive. */
  period?: { from: string; to: string };
  /** The catalogue plan that the line charges or credits; absent for extra quotas and where the provider does not say. */
  planId?: string;
}

export interface ProviderTax {
  name: string;
  /**
   * Such as 19 for 19 %, from the provider's own record of the rate. Null for several rates, or if it does not say. Never derived
   * from amounts, which are rounded.
   */
  ratePercent: number | null;
  amount: Money;
  inclusive: boolean;
}

/** What the provider would charge at `quotedAt`. `change` receives the same time and refuses a different sum. */
export interface ChangeQuote {
  quotedAt: Date;
  lines: readonly ProviderLine[];
  tax: ProviderTax | null;
  dueNow: Money;
  /** What the change alone, made `now`, would credit for time already paid; zero if it costs something. */
  givenBack: Money;
  creditAfter: Money;
  /** `lines` and `tax` of the renewal, if the provider says. Together with the credit used they add up to `amount`. */
  nextRenewal: { at: Date; amount: Money; lines?: readonly ProviderLine[]; tax?: ProviderTax | null };
}

/** Time that was used before a pause and never paid. */
export interface UnpaidTime {
  from: Date;
  to: Date;
}

export interface ChangeRequest {
  subscriptionId: string;
  purchase: Purchase;
  /**
   * `now`: prorated and charged immediately; if the payment fails, nothing changes. `next-period`: billed from the next period with nothing
   * due now, but the subscription's `purchase` is the new one immediately.
   */
  billing: "now" | "next-period";
}

/**
 * Numbers of our documents about an invoice, kept with it at the provider: after a restored dump, a number that was mailed is not given
 * away again. By cause: `invoice`, `void`, `refund:…`, `failed:…`.
 */
export type DocumentNumbers = Readonly<Record<string, { number: string; issuedAt: Date }>>;

/** What `listPage` can list. Invoices: issued ones, with what was paid for them. */
export type ProviderList = "customers" | "subscriptions" | "invoices";

/** An entry of a list of everything at the provider, also of what we did not sell. */
export interface ListedObject {
  id: string;
  customerId: string;
  subscriptionId: string | null;
  /** As passed to our checkout; null: it was not made by one. */
  accountId: string | null;
  /** The customer's name or email address there, for operators. */
  name: string;
  at: Date;
  /** Of a subscription: it has not ended, so it may charge. */
  isLive: boolean;
  /** Of an invoice: what was paid for it. */
  paid: Money | null;
  numbers: DocumentNumbers;
}

export interface ProviderInvoice {
  id: string;
  subscriptionId: string | null;
  /** The provider's number if it is the seller; otherwise we assign one. */
  number: string | null;
  issuedAt: Date;
  /** `refunded`: we returned everything that was paid. `disputed`: a bank took it back, which is no refund of ours. */
  status: "paid" | "open" | "void" | "refunded" | "disputed";
  /**
   * `refund`: everything paid was refunded. `chargeback`: a bank has currently taken the payment back; inquiries and
   * disputes that we won do not count.
   */
  takenBack: "refund" | "chargeback" | null;
  lines: readonly ProviderLine[];
  tax: ProviderTax | null;
  total: Money;
  /** The part of the total paid from the customer's credit, which no card is charged for. */
  creditUsed: Money;
  /** The name and place that the provider based the tax on, such as those entered at its checkout; null if it does not say. */
  buyer: BillingDetails | null;
  /** Ids of the invoices that a negative invoice credits, if the provider says. */
  corrects?: readonly string[];
  /**
   * Full or partial refunds that we gave for its payments; amounts are above zero. Excludes what a bank took
   * back and refunds still under way.
   */
  refunds?: readonly { id: string; at: Date; amount: Money }[];
  /** Ids of refunds that failed or were cancelled, including ones listed in `refunds` before. Their money is ours again. */
  failedRefunds?: readonly string[];
  /** Our document numbers that `keepNumbers` stored with it. */
  numbers?: DocumentNumbers;
  /** Attempts to pay it, oldest first. */
  payments: readonly {
    id: string;
    at: Date;
    amount: Money;
    status: "succeeded" | "failed" | "refunded" | "disputed" | "pending";
    card: ProviderCard | null;
    reason: string | null;
  }[];
}

export type ProviderEventKind =
  | "checkout"
  | "subscription"
  | "payment-succeeded"
  | "payment-failed"
  | "payment-action-required"
  | "refund"
  | "fraud-warning"
  | "customer"
  | "invoice"
  | "other";

/** A webhook with a valid signature. */
export interface ProviderEvent {
  /** Unique at the provider. */
  id: string;
  kind: ProviderEventKind;
  /** The provider's own event type. */
  type: string;
  occurredAt: Date;
  subscriptionId: string | null;
  /** The customer, or for an event without one, a reference that leads to the customer (`whoseEvent`). */
  customerId: string | null;
  /** As passed to the checkout, if the event carries it. */
  accountId: string | null;
  payload: unknown;
}

/** Every call may throw PaymentDeclined, PaymentActionRequired or ProviderUnreachable. Calls with a key are carried out once per key. */
export interface PaymentProvider {
  readonly name: PaymentProviderName;
  /** True if the provider issues the invoices, as the seller or in the operator's name. */
  readonly isSeller: boolean;
  /** How long before a renewal it accepts no change and no cancellation (RenewalUnderWay); 0: no lock. */
  readonly lockedBeforeRenewalMs: number;
  /**
   * How long events that no customer waits for are collected before the state is read once for all of them, at a provider that limits
   * calls; absent: not at all.
   */
  readonly gathersEventsMs?: number;
  /** Opens a payment page for the purchase. */
  createCheckout(request: CheckoutRequest, key: string): Promise<{ checkoutId: string; url: string }>;
  /** The outcome of a checkout, for when its event is late. */
  readCheckout(checkoutId: string): Promise<{ state: "open" | "paid" | "expired"; subscriptionId: string | null }>;
  /**
   * Closes the page so that it cannot be paid. `paid`: the customer has paid already. `open`: the provider cannot close it, so it must
   * be checked until it expires.
   */
  expireCheckout(checkoutId: string): Promise<"expired" | "paid" | "open">;
  /** The current state; null if the provider does not know the subscription. */
  readSubscription(subscriptionId: string): Promise<ProviderSubscription | null>;
  /** What `change` would charge now and from the next renewal; changes nothing. `quotedAt` null: now. */
  previewChange(request: ChangeRequest, quotedAt: Date | null): Promise<ChangeQuote>;
  /** Throws QuoteStale if the sum due is no longer `expectedDueNow`. */
  change(request: ChangeRequest, quote: { quotedAt: Date; expectedDueNow: Money }, key: string): Promise<ProviderSubscription>;
  cancelAtPeriodEnd(subscriptionId: string, key: string): Promise<ProviderSubscription>;
  undoCancel(subscriptionId: string, key: string): Promise<ProviderSubscription>;
  /** Ends it immediately, such as when an account is deleted; safe to repeat. */
  cancelNow(subscriptionId: string, key: string): Promise<ProviderSubscription>;
  /** What `resume` would charge now. For a running subscription nothing, and what it will cost if a cancellation is undone. */
  previewResume(subscriptionId: string, unpaid?: UnpaidTime | null): Promise<ChangeQuote>;
  /**
   * Refunds everything paid for a subscription, once per subscription. Returns the amount refunded, including any that the
   * provider's staff still have to approve. Throws RefundTooLarge, and refunds nothing, if it would be more than `most` minor units.
   */
  refundSubscription(subscriptionId: string, key: string, most: number): Promise<Money>;
  /**
   * Charges a paused subscription and resumes it. `unpaid` is owed: its share of a period's price is charged besides.
   * Throws QuoteStale if the sum due is no longer `expectedDueNow`.
   */
  resume(subscriptionId: string, expectedDueNow: Money, key: string, unpaid?: UnpaidTime | null): Promise<ProviderSubscription>;
  /** Retries the open payment of a past-due subscription now. */
  retryPayment(subscriptionId: string, key: string): Promise<ProviderSubscription>;
  /** A page for changing the card; created for each request, since it expires. */
  changeCardUrl(subscriptionId: string, returnUrl: string): Promise<string>;
  /** Throws VatIdRefused. */
  saveDetails(customerId: string, details: BillingDetails): Promise<void>;
  /**
   * Updates the email address of the owner's customer. Does nothing if the customer belongs to another account. Throws if
   * another customer has the address.
   */
  saveEmail(customerId: string, owner: { accountId: string; email: string }): Promise<void>;
  /** Newest first. With `accountId`, only those of its subscriptions, since two accounts may share an old customer. */
  listInvoices(customerId: string, accountId?: string): Promise<ProviderInvoice[]>;
  /** The provider's URL of the PDF, if it is the seller; null if there is none. */
  invoiceUrl(invoiceId: string): Promise<string | null>;
  nextPayment(subscriptionId: string): Promise<{ at: Date; amount: Money; tax: Money; lines: readonly ProviderLine[] } | null>;
  /**
   * Everything of this kind that was made at or after `since`, a page at a time and in any order; `after` is the `next` of the page before.
   */
  listPage(list: ProviderList, since: Date, after: string | null): Promise<{ entries: ListedObject[]; next: string | null }>;
  /** Stores our document numbers with the invoice, beside those stored before. Does nothing if the provider is the seller. */
  keepNumbers(invoiceId: string, numbers: DocumentNumbers): Promise<void>;
  /** The owner of an event that names no subscription, customer or account; `named` is the event's `customerId`. Null: no known owner. */
  whoseEvent(named: string): Promise<{ customerId: string | null; accountId: string | null } | null>;
  /** Throws SignatureInvalid. Checks every currently valid secret in constant time, and rejects times too far in the past or future. */
  readWebhook(headers: Readonly<Record<string, string | undefined>>, rawBody: Buffer, now: Date): ProviderEvent;
}

/** The bank declined; nothing was changed. `message` is for the customer. */
export class PaymentDeclined extends Error {
  override readonly name = "PaymentDeclined";
}

/** The bank asks the customer to confirm; nothing was changed. */
export class PaymentActionRequired extends Error {
  override readonly name = "PaymentActionRequired";
  /** Where the customer confirms, if the provider has such a page. */
  readonly url: string | null;
  constructor(message: string, url: string | null) {
    super(message);
    this.url = url;
  }
}

/** More would be refunded than was allowed; nothing was. */
export class RefundTooLarge extends Error {
  override readonly name = "RefundTooLarge";
  readonly wanted: Money;
  constructor(wanted: Money) {
    super(`${wanted.amount} ${wanted.currency} in minor units would be refunded.`);
    this.wanted = wanted;
  }
}

/** Throws RefundTooLarge above `most` minor units. */
export function refuseTooLarge(wanted: Money, most: number): void {
  if (wanted.amount > most) throw new RefundTooLarge(wanted);
}

/** The sum differs from the one that was agreed. */
export class QuoteStale extends Error {
  override readonly name = "QuoteStale";
}

/** No answer in time. Whether anything happened is unknown until the state is read again. */
export class ProviderUnreachable extends Error {
  override readonly name: string = "ProviderUnreachable";
  /** How long the provider asks to wait before the next call, if it says. */
  retryAfterMs?: number;
}

/** The call was sent, and no answer came within its time: it may have been carried out. */
export class ProviderLate extends ProviderUnreachable {
  override readonly name = "ProviderLate";
}

/** The provider answered and refused for another reason; `message` is for operators. */
export class ProviderRefusal extends Error {
  override readonly name: string = "ProviderRefusal";
}

/** The refusal of a call about a subscription that has ended, by a provider that checks this itself. */
export const subscriptionEnded = (): ProviderRefusal => new ProviderRefusal("The subscription has ended.");

/** The provider rejects the format of this VAT id. Nothing was changed. */
export class VatIdRefused extends ProviderRefusal {
  override readonly name = "VatIdRefused";
}

/** The subscription is about to renew and cannot be changed until then. */
export class RenewalUnderWay extends ProviderRefusal {
  override readonly name = "RenewalUnderWay";
}

export class SignatureInvalid extends Error {
  override readonly name = "SignatureInvalid";
}
