import type { Money } from "#contract/billing/money/money.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { AppError } from "#platform/app-error.ts";
import { applyProviderTruth } from "../provider-truth/apply-provider-truth.ts";
import { askProvider, isUnanswered } from "../ask-provider.ts";
import type { Actor, Billing } from "../billing.ts";
import { once } from "../idempotency.ts";
import { stateOf } from "../subscription/subscription-states.ts";
import { findSubscription } from "../subscription/subscription-store.ts";
import { syncSubscription } from "../provider-truth/sync-subscription.ts";

/**
 * Retries the open payment of a past-due subscription now; does nothing if nothing is owed any more. `shown` is the sum that the
 * customer agreed to. Refuses (AppError) subscription_not_found, preview_stale if the provider would charge a different sum than `shown`,
 * payment_declined, payment_action_required, payments_unavailable.
 */
export async function retryPayment(billing: Billing, accountId: string, actor: Actor, key: string, shown?: Money): Promise<void> {
  await once(billing, { accountId, key, call: "retry", request: shown ?? null }, async (providerKey) => {
    const held = await findSubscription(billing.db, accountId);
    if (!held?.providerSubscriptionId || held.provider !== billing.provider.name) throw new AppError("subscription_not_found");
    if (stateOf(held) !== "past-due") return null;
    if (shown)
      await refuseAnotherSum(
        billing,
        accountId,
        { subscriptionId: held.providerSubscriptionId, customerId: held.providerCustomerId },
        shown,
      );
    await writeAudit(
      billing.db,
      { accountId, userId: actor.userId, action: "payment.retry-asked", ...(actor.address ? { address: actor.address } : {}) },
      billing.clock.now(),
    );
    try {
      await applyProviderTruth(
        billing,
        accountId,
        await askProvider(() => billing.provider.retryPayment(held.providerSubscriptionId!, providerKey)),
        actor,
      );
    } catch (error) {
      // A refused attempt is also recorded: it is listed with the others.
      if (error instanceof AppError && !isUnanswered(error)) await syncSubscription(billing, accountId).catch(() => undefined);
      throw error;
    }
    await billing
      .settlePayments(accountId)
      .catch((error: unknown) =>
        billing.log.warn({ err: error, accountId }, "a payment could not be settled yet; its event will settle it"),
      );
    return null;
  });
}

/** The panel shows the sum from our copies, which may be older than the provider's invoice; refreshes them if so. */
async function refuseAnotherSum(
  billing: Billing,
  accountId: string,
  { subscriptionId, customerId }: { subscriptionId: string; customerId: string | null },
  shown: Money,
): Promise<void> {
  const invoices = customerId
    ? await askProvider(() => billing.provider.listInvoices(customerId, accountId), undefined, "payments_unavailable")
    : [];
  const open = invoices
    .filter((invoice) => invoice.subscriptionId === subscriptionId && invoice.status === "open")
    .toSorted((one, other) => other.issuedAt.getTime() - one.issuedAt.getTime())[0];
  if (!open) return;
  const { currency } = open.total;
  const amount = open.payments.at(-1)?.amount.amount ?? open.total.amount - open.creditUsed.amount;
  if (amount === shown.amount && currency === shown.currency) return;
  await billing
    .settlePayments(accountId)
    .catch((error: unknown) => billing.log.warn({ err: error, accountId }, "a payment could not be copied yet; its event will copy it"));
  throw new AppError("preview_stale");
}
