/** Reads the provider's state for an account and applies it. Every event, call and sweep ends here. */
import { isGapOpen, MemoryGapOpen } from "#domain/memory-gap/memory-gap-store.ts";
import { after } from "#platform/clock.ts";
import type { Actor, Billing } from "../billing.ts";
import { applyProviderTruth } from "./apply-provider-truth.ts";
import {
  closeCheckout,
  listOpenCheckouts,
  listUnbought,
  noteBought,
  pageLifeMs,
  type CheckoutRow,
} from "../purchases/checkout/checkout-store.ts";
import { countCorrection, countCorrectionOnce } from "../count-correction.ts";
import { endDuplicate } from "./end-duplicate.ts";
import { ProviderRefusal, type ProviderSubscription } from "#payments/payment-provider.ts";
import { isSold, stateOf } from "../subscription/subscription-states.ts";
import { findSubscription } from "../subscription/subscription-store.ts";

interface SyncOutcome {
  /** Whether anything changed in our subscription row. */
  changed: boolean;
}

/**
 * Reads the account's subscription at the provider, the outcome of its open checkouts, and `named`, subscriptions that
 * events mentioned, and applies them. After a purchase, pages that are still open are closed. Throws the port's errors.
 */
export async function syncSubscription(
  billing: Billing,
  accountId: string,
  named: readonly string[] = [],
  actor?: Actor,
): Promise<SyncOutcome> {
  const { db, provider } = billing;
  const held = await findSubscription(db, accountId);
  const ids = new Set<string>();
  if (held?.provider === provider.name && held.providerSubscriptionId) ids.add(held.providerSubscriptionId);
  for (const id of named) ids.add(id);
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
      // Before it is applied: only what was bought here is ever refunded.
      await noteBought(db, page, subscriptionId);
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
  let applied = await applyProviderTruth(billing, accountId, truth, actor);
  if (applied.kind === "not-ours" && (await findPageOf(billing, accountId, subscriptionId)))
    applied = await applyProviderTruth(billing, accountId, truth, actor);
  if (applied.kind === "duplicate") {
    // The row may be older than what it is compared with: no money moves because of it.
    if (await isGapOpen(billing.db)) throw new MemoryGapOpen(`Ending ${subscriptionId}`);
    await endDuplicate(billing, accountId, truth);
  }
  if (applied.kind === "not-ours") await leaveAlone(billing, accountId, truth);
  return applied.changed;
}

/** Looks for the page at which it was bought among those that count as over, such as one that its provider cannot close. */
async function findPageOf(billing: Billing, accountId: string, subscriptionId: string): Promise<boolean> {
  const { db, provider } = billing;
  for (const page of await listUnbought(db, accountId, provider.name)) {
    const read = await provider.readCheckout(page.checkoutId).catch((error: unknown) => {
      if (error instanceof ProviderRefusal) return null;
      throw error;
    });
    if (read?.subscriptionId) await noteBought(db, page, read.subscriptionId);
    if (read?.subscriptionId === subscriptionId) return true;
  }
  return false;
}

/** Reported once: staff sold it at the provider, and a person should know that the service does not. */
async function leaveAlone(billing: Billing, accountId: string, { id, status, purchase }: ProviderSubscription): Promise<void> {
  const what = purchase ? purchase.planId : "something that is not in the catalogue";
  await countCorrectionOnce(billing.db, billing, {
    accountId,
    kind: "subscription-left-alone",
    about: id,
    detail: `is ${status} and bills ${what}; it was not bought here and grants nothing`,
  });
}
