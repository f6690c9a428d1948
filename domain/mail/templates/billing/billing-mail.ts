/** Events of a subscription that customers are told about, and the facts for those mails. Words and looks are in domain/mail. */

import type { Language } from "#contract/accounts/language.ts";
import type { Money } from "#contract/billing/money/money.ts";

export const billingMailNames = [
  /** The first payment succeeded, or the plan changed from the trial. */
  "subscription-started",
  "plan-changed",
  /** An operator granted a plan that is billed outside, or moved its end. */
  "plan-arranged",
  "arranged-plan-ending",
  "arranged-plan-ended",
  /** A change was scheduled for the end of the period. */
  "change-scheduled",
  "trial-ending",
  /** A canceled subscription is about to end. */
  "subscription-ending",
  "trial-ended",
  "payment-failed",
  "payment-action-required",
  "payment-recovered",
  "subscription-paused",
  /** Somebody asked for a pause; nothing is owed. */
  "pause-requested",
  "pause-ended",
  "cancel-confirmed",
  "cancel-undone",
  "subscription-ended",
  /** A plan was paid twice. */
  "duplicate-refunded",
  "deletion-warning",
  "workspace-deleted",
] as const;
export type BillingMailName = (typeof billingMailNames)[number];

export interface BillingMail {
  name: BillingMailName;
  accountId: string;
  email: string;
  fullName: string;
  /** The owner's; null: none was chosen. */
  language: Language | null;
  /** The one in which the owner reads days; null: unknown. */
  timezone: string | null;
  accountName: string;
  /** When it happened; for a timer that was due while no worker ran, when it was due. */
  at: Date;
  planName: string;
  isTrial: boolean;
  /** The future plan in `change-scheduled`; otherwise the same as `planName`. */
  nextPlanName: string;
  /** End of the trial or of the paid period. */
  periodEndsAt: Date | null;
  /** When the workspace will be deleted, if planned. */
  deletionAt: Date | null;
  /** Attempts to charge a failed payment: past and planned. */
  retries: readonly { at: Date; outcome: "failed" | "planned" }[];
  /** The refund in `duplicate-refunded`. */
  refunded: Money | null;
  /** Whether the account's workspace is there, being deleted, or gone: its owner may have deleted it. */
  workspace: "kept" | "deleting" | "deleted";
  /** The last backup of a workspace that was deleted because nobody paid, as the list of backups has it; null: there is none. */
  lastBackup: { madeAt: Date; keptUntil: Date } | null;
  /** What starts with the payment, where the account has no workspace: the last one, from its last backup, or an empty one. */
  begins: "restored" | "empty" | null;
  /** The account is suspended: whatever its plan is, its workspace does not run. */
  isSuspended: boolean;
  /** How long one is kept that is still to be made. */
  lastBackupDays: number;
}
