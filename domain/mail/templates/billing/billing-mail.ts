/** What a customer is told about their subscription, and the facts that belong into it. Words and looks are domain/mail's. */

import type { Money } from "#contract/billing/money.ts";

export const billingMailNames = [
  /** The first payment went through, or the plan changed from the trial. */
  "subscription-started",
  "plan-changed",
  /** An operator gave a plan that is billed outside, or moved its end. */
  "plan-arranged",
  "arranged-plan-ending",
  "arranged-plan-ended",
  /** A change that waits for the period's end was asked for. */
  "change-scheduled",
  "trial-ending",
  /** A subscription that was cancelled is about to end. */
  "subscription-ending",
  "trial-ended",
  "payment-failed",
  "payment-action-required",
  "payment-recovered",
  "subscription-paused",
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
  accountName: string;
  /** When it happened; for what fell due while no worker ran, when it fell due. */
  at: Date;
  planName: string;
  /** What the plan is going to be, in `change-scheduled`; else as `planName`. */
  nextPlanName: string;
  /** End of the trial or of what was paid. */
  periodEndsAt: Date | null;
  /** When the workspace is deleted, where that is planned. */
  deletionAt: Date | null;
  /** Tries of a payment that failed: past and planned. */
  retries: readonly { at: Date; outcome: "failed" | "planned" }[];
  /** What goes back to the customer, in `duplicate-refunded`. */
  refunded: Money | null;
  /** Until when the last backup can be exported, in `workspace-deleted`. */
  backupUntil: Date | null;
}
