/**
 * The port to whoever takes the money. An adapter knows its provider's calls and words; it knows no accounts, mails or
 * workspaces. Events only say that something changed: what is true is always read anew (`readSubscription`), so that
 * events may come twice, late, in any order or never.
 */
import type { BillingDetails } from "#contract/billing/billing.ts";
import type { Money } from "#contract/billing/money.ts";

/** A name of the list in providers.ts; rows keep those of providers that are not configured any more. */
export type PaymentProviderName = string;

/** The product's five words, and two of our own: `pending`, not paid for the first time yet; `unknown`, a word of the provider's that we don't know. */
export type ProviderStatus = "active" | "trialing" | "past_due" | "paused" | "deleted" | "pending" | "unknown";

/** What is billed: a plan of the catalogue, and the units of each quota above what the plan includes. */
export interface Purchase {
  planId: string;
  /** Units of `custom_quotas.monthlyExecutions.per` above what is included. */
  extraExecutionUnits: number;
  extraWorkflowUnits: number;
}

export interface CheckoutRequest {
  accountId: string;
  email: string;
  name: string;
  purchase: Purchase;
  /** ISO 4217, upper case; fixed by an account's first purchase. */
  currency: string;
  /** Given when the account has paid before. */
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
  /** As given at the checkout; null where the provider has lost it. */
  accountId: string | null;
  status: ProviderStatus;
  /** The provider's own word, for logs. */
  providerStatus: string;
  /** Null: it bills something that is not in our catalogue. */
  purchase: Purchase | null;
  currency: string;
  periodStartsAt: Date;
  periodEndsAt: Date;
  cancelAt: Date | null;
  pastDueAt: Date | null;
  /** Tries of the open payment: past ones with their outcome, planned ones as far as the provider tells. */
  retries: readonly { at: Date; outcome: "failed" | "planned" }[];
  pausedAt: Date | null;
  endedAt: Date | null;
  /** What is owed back to the customer and taken off the next payment; minor units. */
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
  /** The time that it pays for or gives back, as far as the provider says; ISO times, the end not included. */
  period?: { from: string; to: string };
  /** The plan of the catalogue that it sells or gives back; none for extra quotas, and where the provider does not say. */
  planId?: string;
}

export interface ProviderTax {
  name: string;
  /** Such as 19 for 19 %, as the provider's own record of the rate says; null: several rates, or it does not say. Never worked out from amounts, which are rounded. */
  ratePercent: number | null;
  amount: Money;
  inclusive: boolean;
}

/** A price as the provider would charge it at `quotedAt`; the same moment is passed to `change`, which refuses another sum. */
export interface ChangeQuote {
  quotedAt: Date;
  lines: readonly ProviderLine[];
  tax: ProviderTax | null;
  dueNow: Money;
  /** What the change by itself, made `now`, owes back to the customer for time that was paid; zero where it costs something. */
  givenBack: Money;
  creditAfter: Money;
  /** `lines` and `tax` of the renewal, as far as the provider says: with what credit takes off, they add up to `amount`. */
  nextRenewal: { at: Date; amount: Money; lines?: readonly ProviderLine[]; tax?: ProviderTax | null };
}

export interface ChangeRequest {
  subscriptionId: string;
  purchase: Purchase;
  /** `now`: prorated and charged at once, and refused whole where the payment fails. `next-period`: billed from the next period on, nothing now; `purchase` is the new one at once. */
  billing: "now" | "next-period";
}

export interface ProviderInvoice {
  id: string;
  subscriptionId: string | null;
  /** The provider's number, where it is the seller; ours is given by us. */
  number: string | null;
  issuedAt: Date;
  status: "paid" | "open" | "void" | "refunded";
  /** `refund`: all of what was paid was given back. `chargeback`: a bank took it back, as far as it stands now; an inquiry or a dispute that was won is neither. */
  takenBack: "refund" | "chargeback" | null;
  lines: readonly ProviderLine[];
  tax: ProviderTax | null;
  total: Money;
  /** The part of the total that was taken from the customer's credit, and so is charged to no card. */
  creditUsed: Money;
  /** Name and place by which the provider reckoned the tax, such as those given at its checkout; null: it does not say. */
  buyer: BillingDetails | null;
  /** Ids of the invoices that one below zero gives back from, as far as the provider says. */
  corrects?: readonly string[];
  /** Money of its payments that went back by our own will, partly or whole; amounts above zero. What a bank took is not here, nor what is still under way. */
  refunds?: readonly { id: string; at: Date; amount: Money }[];
  /** Ids of refunds that failed or were cancelled, also of those that were among `refunds` before: their money is ours again. */
  failedRefunds?: readonly string[];
  /** Tries to pay it, oldest first. */
  payments: readonly {
    id: string;
    at: Date;
    amount: Money;
    status: "succeeded" | "failed" | "refunded" | "pending";
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

/** A webhook whose signature was good. */
export interface ProviderEvent {
  /** Unique at the provider. */
  id: string;
  kind: ProviderEventKind;
  /** The provider's own word. */
  type: string;
  occurredAt: Date;
  subscriptionId: string | null;
  /** The customer; of an event that names nobody, what leads to them (`whoseEvent`). */
  customerId: string | null;
  /** As given at the checkout, where the event carries it. */
  accountId: string | null;
  payload: unknown;
}

/** Every call throws PaymentDeclined, PaymentActionRequired or ProviderUnreachable where that is what happened. Calls that take a key are done once per key. */
export interface PaymentProvider {
  readonly name: PaymentProviderName;
  /** True where the provider is the seller and writes the invoices itself. */
  readonly isSeller: boolean;
  /** How long before a renewal it takes no change and no cancellation (RenewalUnderWay); 0: it always does. */
  readonly lockedBeforeRenewalMs: number;
  /** Opens a page where the purchase is paid. */
  createCheckout(request: CheckoutRequest, key: string): Promise<{ checkoutId: string; url: string }>;
  /** What became of a checkout; for when its event is late. */
  readCheckout(checkoutId: string): Promise<{ state: "open" | "paid" | "expired"; subscriptionId: string | null }>;
  /**
   * Nobody can pay at it any more; `paid`: somebody already has. `open`: the provider cannot close it, so it has to be looked at
   * until it expires.
   */
  expireCheckout(checkoutId: string): Promise<"expired" | "paid" | "open">;
  /** The truth; null when the provider knows no such subscription. */
  readSubscription(subscriptionId: string): Promise<ProviderSubscription | null>;
  /** What `change` would charge, and from then on. `quotedAt` null: now. Without a subscription of its own nothing is changed by it. */
  previewChange(request: ChangeRequest, quotedAt: Date | null): Promise<ChangeQuote>;
  /** Throws QuoteStale when the sum due is not `expectedDueNow` any more. */
  change(request: ChangeRequest, quote: { quotedAt: Date; expectedDueNow: Money }, key: string): Promise<ProviderSubscription>;
  cancelAtPeriodEnd(subscriptionId: string, key: string): Promise<ProviderSubscription>;
  undoCancel(subscriptionId: string, key: string): Promise<ProviderSubscription>;
  /** Ends it at once, such as when an account is deleted; repeating it is fine. */
  cancelNow(subscriptionId: string, key: string): Promise<ProviderSubscription>;
  /** What `resume` would charge now; for one that runs, nothing, and what it costs if a cancellation is undone. */
  previewResume(subscriptionId: string): Promise<ChangeQuote>;
  /** Gives back all that was paid for a subscription, once, however often it is asked; how much that is, or will be once somebody at the provider agrees. */
  refundSubscription(subscriptionId: string, key: string): Promise<Money>;
  /** Charges a paused subscription and lets it go on. Throws QuoteStale when the sum due is not `expectedDueNow` any more. */
  resume(subscriptionId: string, expectedDueNow: Money, key: string): Promise<ProviderSubscription>;
  /** Tries the open payment of a past-due subscription again now. */
  retryPayment(subscriptionId: string, key: string): Promise<ProviderSubscription>;
  /** A page where the card is changed; made anew each time, since it expires. */
  changeCardUrl(subscriptionId: string, returnUrl: string): Promise<string>;
  /** Throws VatIdRefused. */
  saveDetails(customerId: string, details: BillingDetails): Promise<void>;
  /** Tells the address of whoever the customer is; nothing where the customer is another account's. Refused where another customer has the address. */
  saveEmail(customerId: string, owner: { accountId: string; email: string }): Promise<void>;
  /** Newest first. With `accountId` those of its subscriptions alone, as a customer of old may be two accounts'. */
  listInvoices(customerId: string, accountId?: string): Promise<ProviderInvoice[]>;
  /** Where the provider keeps the PDF, for a seller; null: there is none. */
  invoiceUrl(invoiceId: string): Promise<string | null>;
  nextPayment(subscriptionId: string): Promise<{ at: Date; amount: Money; tax: Money; lines: readonly ProviderLine[] } | null>;
  /** Whose an event is that names no subscription, customer or account: `named` is what it has as `customerId`. Null: nobody's. */
  whoseEvent(named: string): Promise<{ customerId: string | null; accountId: string | null } | null>;
  /** Throws SignatureInvalid. Checks every secret that is valid now, in constant time, and the age both ways. */
  readWebhook(headers: Readonly<Record<string, string | undefined>>, rawBody: Buffer, now: Date): ProviderEvent;
}

/** The bank said no; nothing was changed. `message` is for the customer. */
export class PaymentDeclined extends Error {
  override readonly name = "PaymentDeclined";
}

/** The bank wants the customer to confirm; nothing was changed. */
export class PaymentActionRequired extends Error {
  override readonly name = "PaymentActionRequired";
  /** Where they confirm, where the provider has such a page. */
  readonly url: string | null;
  constructor(message: string, url: string | null) {
    super(message);
    this.url = url;
  }
}

/** The sum is another one than was agreed to. */
export class QuoteStale extends Error {
  override readonly name = "QuoteStale";
}

/** No answer, or none in time: whether anything happened is unknown until it is read. */
export class ProviderUnreachable extends Error {
  override readonly name = "ProviderUnreachable";
}

/** The provider was reached and refused for another reason; `message` is for operators. */
export class ProviderRefusal extends Error {
  override readonly name: string = "ProviderRefusal";
}

/** The provider does not take this VAT id: it has another form there. Nothing was changed. */
export class VatIdRefused extends ProviderRefusal {
  override readonly name = "VatIdRefused";
}

/** The subscription renews in a moment, and nothing of it can be changed until then. */
export class RenewalUnderWay extends ProviderRefusal {
  override readonly name = "RenewalUnderWay";
}

export class SignatureInvalid extends Error {
  override readonly name = "SignatureInvalid";
}
