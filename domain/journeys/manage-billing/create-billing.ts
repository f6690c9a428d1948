/** Puts together what sells, changes and ends subscriptions: the machine of domain/billing, its mails, and the invoices. */
import type { Billing } from "#domain/billing/billing.ts";
import { renderBillingMail } from "#domain/mail/templates/billing-mails.ts";
import { withinTime } from "#domain/billing/within-time.ts";
import { secondMs } from "#platform/clock.ts";
import type { Seller } from "#domain/invoices/invoice-document.ts";
import { settlePayments } from "./settle-payments.ts";

/** Shorter than the lease of a call that is done once, longer than a provider's slowest answer. */
const callLimitMs = 25 * secondMs;

export type BillingParts = Omit<Billing, "renderMail" | "settlePayments"> & {
  /** Whom invoices name as the seller. */
  seller: Seller;
};

/** The same for the API, the worker and operators' commands. */
export function createBilling({ seller, ...given }: BillingParts): Billing {
  const parts = { ...given, provider: withinTime(given.provider, callLimitMs) };
  return {
    ...parts,
    renderMail: (mail) => renderBillingMail(mail, parts.publicUrl),
    settlePayments: (accountId, beside) => settlePayments({ ...parts, seller }, accountId, beside),
  };
}
