/** Money that was taken back ends the plan that it paid for (decision 0082): the rule, and its effect. */
import { writeAudit } from "#domain/audit/audit-store.ts";
import { after, hourMs } from "#platform/clock.ts";
import { applyProviderTruth } from "./apply-provider-truth.ts";
import { theService, type Billing } from "../billing.ts";
import type { ProviderInvoice } from "#payments/payment-provider.ts";
import { isSold, stateOf } from "../subscription/subscription-states.ts";
import { findSubscription } from "../subscription/subscription-store.ts";

/** An invoice is created when its period begins, or slightly earlier or later. */
const toleranceMs = hourMs;

/**
 * The invoice that ends the subscription: a bank took back the money of any of its payments, or one of the
 * running period was fully refunded.
 */
export function endingInvoice(
  invoices: readonly Pick<ProviderInvoice, "id" | "subscriptionId" | "issuedAt" | "takenBack">[],
  held: { subscriptionId: string; periodStartsAt: Date },
): string | null {
  const since = after(held.periodStartsAt, -toleranceMs);
  const own = invoices.filter(({ subscriptionId }) => subscriptionId === held.subscriptionId);
  return own.find(({ takenBack, issuedAt }) => takenBack === "chargeback" || (takenBack === "refund" && issuedAt >= since))?.id ?? null;
}

/**
 * Ends the account's subscription at the provider if the rule applies, with the usual effects of an end. Throws the
 * port's errors; safe to repeat.
 */
export async function endWhereTakenBack(billing: Billing, accountId: string): Promise<boolean> {
  const { db, provider, clock } = billing;
  const held = await findSubscription(db, accountId);
  if (held?.provider !== provider.name || !held.providerSubscriptionId || !held.providerCustomerId || !isSold(stateOf(held))) return false;
  const { providerSubscriptionId: subscriptionId, periodStartsAt } = held;
  const invoiceId = endingInvoice(await provider.listInvoices(held.providerCustomerId, accountId), { subscriptionId, periodStartsAt });
  if (!invoiceId) return false;
  await writeAudit(db, { accountId, userId: null, action: "subscription.money-taken-back", after: { invoiceId } }, clock.now());
  await applyProviderTruth(billing, accountId, await provider.cancelNow(subscriptionId, `taken-back-${subscriptionId}`), theService);
  return true;
}
