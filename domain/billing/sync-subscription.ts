/** The provider's truth about an account, read and applied. Every event, call and sweep ends here. */
import type { Actor, Billing } from "./billing.ts";
import { applyProviderTruth } from "./apply-provider-truth.ts";
import { closeCheckout, listOpenCheckouts } from "./checkout-store.ts";
import { countCorrection } from "./count-correction.ts";
import { findSubscription } from "./subscription-store.ts";

export interface SyncOutcome {
  /** Whether anything of the held subscription changed. */
  changed: boolean;
}

/**
 * Reads the account's subscription at the provider, what became of its open checkouts, and `named`, a subscription that an
 * event spoke of; and applies it. Throws the port's errors.
 */
export async function syncSubscription(billing: Billing, accountId: string, named: string | null = null, actor?: Actor): Promise<SyncOutcome> {
  const { db, provider } = billing;
  const held = await findSubscription(db, accountId);
  const ids = new Set<string>();
  if (held?.provider === provider.name && held.providerSubscriptionId) ids.add(held.providerSubscriptionId);
  if (named) ids.add(named);
  const decided: { checkoutId: string; state: "paid" | "expired" }[] = [];
  for (const { checkoutId } of await listOpenCheckouts(db, accountId, provider.name)) {
    const { state, subscriptionId } = await provider.readCheckout(checkoutId);
    if (state === "paid" && subscriptionId) ids.add(subscriptionId);
    if (state === "expired" || (state === "paid" && subscriptionId)) decided.push({ checkoutId, state });
  }
  let changed = false;
  for (const id of ids) changed = (await syncOne(billing, accountId, id, actor)) || changed;
  // Last: a process that dies before looks at them again.
  for (const { checkoutId, state } of decided) await closeCheckout(db, provider.name, checkoutId, state);
  return { changed };
}

async function syncOne(billing: Billing, accountId: string, subscriptionId: string, actor?: Actor): Promise<boolean> {
  const truth = await billing.provider.readSubscription(subscriptionId);
  if (!truth) {
    await countCorrection(billing.db, billing, { accountId, kind: "unknown-subscription", detail: `the provider does not know ${subscriptionId}` });
    return false;
  }
  const { kind, changed } = await applyProviderTruth(billing, accountId, truth, actor);
  if (kind === "duplicate") await endDuplicate(billing, accountId, subscriptionId);
  return changed;
}

/** Two tabs, two plans, both paid: the second is ended before it is charged again; giving its money back is the operator's. */
async function endDuplicate(billing: Billing, accountId: string, subscriptionId: string): Promise<void> {
  const ended = await billing.provider.cancelNow(subscriptionId, `duplicate-${subscriptionId}`);
  await countCorrection(billing.db, billing, { accountId, kind: "duplicate-subscription", detail: `${subscriptionId} was paid beside another one and is ${ended.providerStatus} now: give its payment back` });
}
