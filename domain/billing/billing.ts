/**
 * The dependencies of everything that sells, changes and ends subscriptions. The functions of this folder, one per file:
 * start-checkout, complete-checkout, quote-change, confirm-change, cancel-scheduled-change, cancel-subscription,
 * resubscribe, retry-payment, sync-subscription.
 */
import type { Delivery } from "#contract/billing/plans/delivered-features.ts";
import type { Mail } from "#domain/mail/mail.ts";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Secrets } from "#platform/secrets.ts";
import type { Tracer } from "#platform/tracing/tracer.ts";
import type { BillingMail } from "#domain/mail/templates/billing/billing-mail.ts";
import type { PaymentProvider } from "#payments/payment-provider.ts";
import type { Calling } from "./ask-provider.ts";
import type { KeyTimes } from "./idempotency.ts";

export interface Billing {
  db: Database;
  clock: Clock;
  log: Log;
  tracer?: Tracer | null;
  /** Called after each attempt to handle a provider event, for metrics. */
  onEvent?: ((outcome: EventOutcome) => void) | undefined;
  secrets: Secrets;
  provider: PaymentProvider;
  publicUrl: string;
  /** Decides which of the plans' feature labels apply; n8n without a license if absent. */
  delivery?: Delivery;
  /** The memory of a workspace whose plan does not set any. */
  workspaceMemoryMb?: number;
  /** How long the last backup of a deleted workspace is kept, in days. */
  lastBackupDays: number;
  /** Renders the mail for an event; null if it needs none. */
  renderMail(mail: BillingMail): Promise<Mail | null>;
  /**
   * Called after a payment was reported, and repeated until it succeeds: records invoices and mails receipts, each once.
   * Calls other services by `calling`, if given. `beside`: a subscription other than the account's current one, whose invoices are
   * recorded too.
   */
  settlePayments(accountId: string, beside?: { id: string; customerId: string }, calling?: Calling): Promise<void>;
  /**
   * The largest refund that the service makes without a person's yes, in units of the currency (not minor ones), tax included;
   * `defaultRefundLimit` if absent.
   */
  refundLimit?: number;
  /** Whether a VAT id exists; null if there is no answer in time. Absent if only the format of ids is checked. */
  askVatRegister?: (vatId: string) => Promise<{ valid: boolean; checkedAt: Date; reference: string } | null>;
  /** Of idempotency keys; smaller for tests. */
  keyTimes?: KeyTimes;
  /**
   * The shortest time between the last warning to the owner and the deletion of a workspace, however late a worker is. Zero if
   * the clock can be moved.
   */
  leastNoticeMs: number;
}

/** The outcome of an attempt to handle an event. `failed`: it is retried. `given-up`: it is not. */
export const eventOutcomes = ["handled", "failed", "given-up"] as const;

export type EventOutcome = (typeof eventOutcomes)[number];

/** Who requested a change, for the audit log. */
export interface Actor {
  /** Null: the service itself, or an operator. */
  userId: string | null;
  address?: string;
  /** The operator's user name on the machine where the command was run. */
  operator?: string;
}

export const theService: Actor = { userId: null };
