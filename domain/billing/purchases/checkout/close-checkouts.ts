/** Closes payment pages at the provider that must not be paid at any more, after checking each again. */
import { AppError } from "#platform/app-error.ts";
import type { Billing } from "../../billing.ts";
import { closeCheckout, listOpenCheckouts } from "./checkout-store.ts";
import { isSold, stateOf } from "../../subscription/subscription-states.ts";
import { findSubscription } from "../../subscription/subscription-store.ts";
import { syncSubscription } from "../../provider-truth/sync-subscription.ts";

/**
 * Closes replaced pages. If one turns out to be paid, the purchase is taken over, and the account already has what it wanted: refuses
 * (AppError) already_subscribed. Throws the port's errors.
 */
export async function closeReplaced(billing: Billing, accountId: string): Promise<void> {
  const { db, provider } = billing;
  for (const { checkoutId, state } of await listOpenCheckouts(db, accountId, provider.name)) {
    if (state !== "closing") continue;
    const became = await provider.expireCheckout(checkoutId);
    if (became === "expired") await closeCheckout(db, provider.name, checkoutId, "expired");
    if (became === "paid") await syncSubscription(billing, accountId);
  }
  if (isSold(stateOf(await findSubscription(db, accountId)))) throw new AppError("already_subscribed");
}
