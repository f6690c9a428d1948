/**
 * What everything that sells, changes and ends subscriptions works with. The functions of this folder, one per file:
 * start-checkout, complete-checkout, quote-change, confirm-change, cancel-scheduled-change, cancel-subscription,
 * resubscribe, retry-payment, sync-subscription.
 */
import type { Delivery } from "#contract/billing/delivered-features.ts";
import type { Mail } from "#domain/mail/mail.ts";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Secrets } from "#platform/secrets.ts";
import type { BillingMail } from "#domain/mail/templates/billing/billing-mail.ts";
import type { PaymentProvider } from "#payments/payment-provider.ts";

export interface Billing {
  db: Database;
  clock: Clock;
  log: Log;
  secrets: Secrets;
  provider: PaymentProvider;
  publicUrl: string;
  /** What decides which of the plans' labels hold; n8n without a licence where absent. */
  delivery?: Delivery;
  /** What a workspace has whose plan says nothing of memory. */
  workspaceMemoryMb?: number;
  /** Makes the mail of something that happened; null where it needs none. */
  renderMail(mail: BillingMail): Promise<Mail | null>;
  /**
   * Called after a payment was heard of, and again until it succeeds: writes invoices down and mails receipts, each once.
   * May ask the provider. `beside`: a subscription that is not the account's own, whose invoices are written down as well.
   */
  settlePayments(accountId: string, beside?: { id: string; customerId: string }): Promise<void>;
  /** Whether a VAT id exists; null: nobody says, or not in time. Missing where ids are held to their form alone. */
  askVatRegister?: (vatId: string) => Promise<{ valid: boolean; checkedAt: Date; reference: string } | null>;
  /**
   * A workspace is deleted at the earliest so long after its owner was last warned, however late a worker was. Zero where
   * the clock can be moved.
   */
  leastNoticeMs: number;
}

/** Who asked for a change, for the audit log. */
export interface Actor {
  /** Null: the service itself, or an operator. */
  userId: string | null;
  address?: string;
  /** Their name at the machine where the command was given. */
  operator?: string;
}

export const theService: Actor = { userId: null };
