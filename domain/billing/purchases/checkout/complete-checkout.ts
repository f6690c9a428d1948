/** The customer is back from the payment page, possibly before the provider's event. */
import { askProvider } from "../../ask-provider.ts";
import type { Actor, Billing } from "../../billing.ts";
import { syncSubscription } from "../../provider-truth/sync-subscription.ts";

/**
 * Reads the outcome of the account's open checkouts at the provider and applies it; changes nothing if none is paid. Refuses
 * (AppError) payments_unavailable.
 */
export async function completeCheckout(billing: Billing, accountId: string, actor?: Actor): Promise<void> {
  const { changed } = await askProvider(() => syncSubscription(billing, accountId, [], actor), undefined, "payments_unavailable");
  if (changed)
    await billing
      .settlePayments(accountId)
      .catch((error: unknown) =>
        billing.log.warn({ err: error, accountId }, "a payment could not be settled yet; its event will settle it"),
      );
}
