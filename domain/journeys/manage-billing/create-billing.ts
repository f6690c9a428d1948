/** Puts together what sells, changes and ends subscriptions: the machine of domain/billing, its mails, and the invoices. */
import type { Billing } from "#domain/billing/billing.ts";
import { renderBillingMail } from "#domain/mail/templates/billing-mails.ts";
import type { Seller } from "#domain/invoices/invoice-document.ts";
import { settlePayments } from "./settle-payments.ts";

export type BillingParts = Omit<Billing, "renderMail" | "settlePayments"> & {
  /** Whom invoices name as the seller. */
  seller: Seller;
};

/** The same for the API, the worker and operators' commands. */
export function createBilling({ seller, ...parts }: BillingParts): Billing {
  return {
    ...parts,
    renderMail: (mail) => renderBillingMail(mail, parts.publicUrl),
    settlePayments: (accountId, beside) => settlePayments({ ...parts, seller }, accountId, beside),
  };
}
