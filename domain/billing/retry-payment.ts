import { writeAudit } from "#domain/accounts/audit-store.ts";
import { AppError } from "#platform/app-error.ts";
import { applyProviderTruth } from "./apply-provider-truth.ts";
import { askProvider } from "./ask-provider.ts";
import type { Actor, Billing } from "./billing.ts";
import { once } from "./idempotency.ts";
import { stateOf } from "./subscription-states.ts";
import { findSubscription } from "./subscription-store.ts";
import { syncSubscription } from "./sync-subscription.ts";

/**
 * Tries the open payment of a past-due subscription now; where nothing is owed any more, nothing happens. Refuses (AppError)
 * subscription_not_found, payment_declined, payment_action_required, payments_unavailable.
 */
export async function retryPayment(billing: Billing, accountId: string, actor: Actor, key: string): Promise<void> {
  await once(billing, { accountId, key, call: "retry", request: null }, async (providerKey) => {
    const held = await findSubscription(billing.db, accountId);
    if (!held?.providerSubscriptionId || held.provider !== billing.provider.name) throw new AppError("subscription_not_found");
    if (stateOf(held) !== "past-due") return null;
    await writeAudit(billing.db, { accountId, userId: actor.userId, action: "payment.retry-asked", ...(actor.address ? { address: actor.address } : {}) }, billing.clock.now());
    try {
      await applyProviderTruth(billing, accountId, await askProvider(() => billing.provider.retryPayment(held.providerSubscriptionId!, providerKey)), actor);
    } catch (error) {
      // The refused try is news as well: it stands among the tries.
      if (error instanceof AppError && error.code !== "payments_unavailable") await syncSubscription(billing, accountId).catch(() => undefined);
      throw error;
    }
    await billing.settlePayments(accountId).catch((error: unknown) => billing.log.warn({ err: error, account: accountId }, "a payment could not be settled at once; its event does it"));
    return null;
  });
}
