/** Billing as the settings describe it, for the program and for operators' commands. */
import type { Billing } from "#domain/billing/billing.ts";
import { centralBankRates } from "#domain/invoices/tax/exchange-rates.ts";
import { viesRegister } from "#domain/invoices/tax/vat-register.ts";
import { createBilling } from "#domain/journeys/manage-billing/create-billing.ts";
import { createPaymentProvider } from "#payments/providers.ts";
import { countCall } from "#domain/attempts/call-count-store.ts";
import { dayMs } from "#platform/clock.ts";
import { deliveryOf, type Config } from "../settings/config.ts";

/** With the configured payment provider. */
export function openBilling(config: Config, parts: Pick<Billing, "db" | "clock" | "secrets" | "log" | "tracer" | "onEvent">): Billing {
  const { db, clock, secrets, log } = parts;
  return createBilling({
    ...parts,
    provider: createPaymentProvider(config.payments, {
      db,
      clock,
      log,
      secrets,
      publicUrl: config.publicUrl,
      countCalls: (what, calls, windowSeconds) => countCall(db, what, "", windowSeconds, calls),
    }),
    publicUrl: config.publicUrl,
    workspaceMemoryMb: config.workspaceMemoryMb,
    lastBackupDays: config.lastBackupDays,
    refundLimit: config.refundLimit,
    delivery: deliveryOf(config),
    leastNoticeMs: config.production ? 3 * dayMs : 0,
    seller: config.seller,
    register: config.viesUrl ? viesRegister({ url: config.viesUrl, requester: config.seller.vatId, clock, log }) : null,
    rates: config.exchangeRatesUrl ? centralBankRates({ url: config.exchangeRatesUrl, clock, log }) : null,
  });
}
