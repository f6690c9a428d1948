/** Mails about trials, payments and plans. */
import type { BillingMail } from "#domain/billing/billing-mail.ts";
import type { Mail } from "../mail.ts";

/** The mail of something that happened to a subscription; null where it needs none. */
export function renderBillingMail(_mail: BillingMail, _publicUrl: string): Promise<Mail | null> {
  return Promise.resolve(null);
}
