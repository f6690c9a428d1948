/** Reads the provider's state for an account and applies it. Every event, call and sweep ends here. */
import { after } from "#platform/clock.ts";
import type { Actor, Billing } from "../billing.ts";
import { applyProviderTruth } from "./apply-provider-truth.ts";
import { closeCheckout, listOpenCheckouts, pageLifeMs, type CheckoutRow } from "../purchases/checkout/checkout-store.ts";
import { countCorrection } from "../count-correction.ts";
import { endDuplicate } from "./end-duplicate.ts";
import { ProviderRefusal } from "#payments/payment-provider.ts";
import { isSold, stateOf } from "../subscription/subscription-states.ts";
import { findSubscription } from "../subscription/subscription-store.ts";

interface SyncOutcome {
  /** Whether anything changed in our subscription row. */
  changed: boolean;
}

/**
 * Reads the account's subscription at the provider, the outcome of its open checkouts, and `named`, a subscription that an
 * event mentioned, and applies them. After a purchase, pages that are still open are closed. Throws the port's errors.
 */
export async function syncSubscription(
  billing: Billing,
  accountId: string,
  named: string | null = null,
  actor?: Actor,
): Promise<SyncOutcome> {
  const { db, provider } = billing;
  const held = await findSubscription(db, accountId);
  const ids = new Set<string>();
  if (held?.provider === provider.name && held.providerSubscriptionId) ids.add(held.providerSubscriptionId);
  if (named) ids.add(named);
  const pages = await listOpenCheckouts(db, accountId, provider.name);
  const paid = await closeOver(billing, pages, ids);
  let changed = false;
  for (const id of ids) changed = (await syncOne(billing, accountId, id, actor)) || changed;
  // Last, so that after a crash they are checked again.
  for (const checkoutId of paid) await closeCheckout(db, provider.name, checkoutId, "paid");
  if (pages.length > 0 && isSold(stateOf(await findSubscription(db, accountId)))) await closeRest(billing, accountId);
  return { changed };
}

/** Closes expired and replaced pages. Adds what was bought at the others to `ids`, and returns the ids of those pages. */
async function closeOver(billing: Billing, pages: readonly CheckoutRow[], ids: Set<string>): Promise<string[]> {
  const { db, provider } = billing;
  const paid: string[] = [];
  for (const page of pages) {
    const { checkoutId, state: ours } = page;
    const { state, subscriptionId } = await readPage(billing, page);
    if (state === "paid" && subscriptionId) {
      ids.add(subscriptionId);
      paid.push(checkoutId);
    } else if (state === "expired" || (ours === "closing" && state === "open" && (await provider.expireCheckout(checkoutId)) === "expired"))
      await closeCheckout(db, provider.name, checkoutId, "expired");
  }
  return paid;
}

/**
 * An old page that the provider no longer recognises, such as after a change of keys, counts as over; otherwise it
 * would block the account forever.
 */
async function readPage(
  { provider, clock }: Billing,
  { checkoutId, createdAt }: CheckoutRow,
): ReturnType<Billing["provider"]["readCheckout"]> {
  try {
    return await provider.readCheckout(checkoutId);
  } catch (error) {
    if (error instanceof ProviderRefusal && createdAt <= after(clock.now(), -pageLifeMs)) return { state: "expired", subscriptionId: null };
    throw error;
  }
}

/** A page that is being paid right now is found by the next check. */
async function closeRest({ db, provider }: Billing, accountId: string): Promise<void> {
  for (const { checkoutId } of await listOpenCheckouts(db, accountId, provider.name)) {
    if ((await provider.expireCheckout(checkoutId)) === "expired") await closeCheckout(db, provider.name, checkoutId, "expired");
  }
}

async function syncOne(billing: Billing, accountId: string, subscriptionId: string, actor?: Actor): Promise<boolean> {
  const truth = await billing.provider.readSubscription(subscriptionId);
  if (!truth) {
    await countCorrection(billing.db, billing, {
      accountId,
      kind: "unknown-subscription",
      detail: `the provider does not know ${subscriptionId}`,
    });
    return false;
  }
  const { kind, changed } = await applyProviderTruth(billing, accountId, truth, actor);
  if (kind === "duplicate") await endDuplicate(billing, accountId, truth);
  return changed;
}
