/** Assembles billing: the machine of domain/billing, its mails, and the invoices. */
import type { Billing } from "#domain/billing/billing.ts";
import { renderBillingMail } from "#domain/mail/templates/billing/billing-mails.ts";
import { calledBy, withinTime } from "#domain/billing/ask-provider.ts";
import { timeLimits } from "#platform/time-limits.ts";
import type { RatesSource } from "#domain/invoices/tax/exchange-rates.ts";
import type { VatRegister } from "#domain/invoices/tax/vat-register.ts";
import type { Seller } from "#domain/invoices/document/invoice-document.ts";
import { settlePayments } from "./settle-payments.ts";

type BillingParts = Omit<Billing, "renderMail" | "settlePayments" | "askVatRegister"> & {
  /** The seller named on invoices. */
  seller: Seller;
  register?: VatRegister | null;
  rates?: RatesSource | null;
  /** Of one call to the provider; smaller for tests. */
  providerMs?: number;
};

/** Used alike by the API, the worker and operators' commands. */
export function createBilling({
  seller,
  register = null,
  rates = null,
  providerMs = timeLimits.providerMs,
  ...given
}: BillingParts): Billing {
  const parts = { ...given, provider: withinTime(given.provider, providerMs) };
  return {
    ...parts,
    renderMail: (mail) => renderBillingMail(mail, parts.publicUrl),
    settlePayments: (accountId, beside, calling = (call) => call()) =>
      settlePayments(
        {
          ...parts,
          provider: calledBy(parts.provider, calling),
          seller,
          register: register && { ask: (vatId) => calling(() => register.ask(vatId), "the VAT register") },
          rates: rates && { refresh: (db) => calling(() => rates.refresh(db), "exchange rates") },
        },
        accountId,
        beside,
      ),
    ...(register && { askVatRegister: (vatId: string) => register.ask(vatId) }),
  };
}
