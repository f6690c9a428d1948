import { writeAudit } from "#domain/audit/audit-store.ts";
import { AppError } from "#platform/app-error.ts";
import { applyProviderTruth } from "../provider-truth/apply-provider-truth.ts";
import { askProvider } from "../ask-provider.ts";
import type { Actor, Billing } from "../billing.ts";
import { changeSubscription } from "../carry-out.ts";
import { once } from "../idempotency.ts";
import { isSold, nothingScheduled, stateOf } from "../subscription/subscription-states.ts";
import { findSubscription } from "../subscription/subscription-store.ts";

/**
 * Ends the subscription at the end of the paid period, or immediately if it is paused. A trial ends at its end, as it would anyway.
 * Refuses (AppError) subscription_not_found, payments_unavailable.
 */
export async function cancelSubscription(
  billing: Billing,
  accountId: string,
  why: { reason: string | null },
  actor: Actor,
  key: string,
): Promise<void> {
  await once(billing, { accountId, key, call: "cancel", request: why }, async (providerKey) => {
    const seen = await findSubscription(billing.db, accountId);
    const state = stateOf(seen);
    if (!seen || !(isSold(state) || state === "trial") || (state !== "trial" && seen.provider !== billing.provider.name))
      throw new AppError("subscription_not_found");
    await noteReason(billing, accountId, why.reason, actor);
    if (state === "trial") return markTrial(billing, accountId, actor);
    const truth = await askProvider(() => billing.provider.cancelAtPeriodEnd(seen.providerSubscriptionId!, providerKey));
    await applyProviderTruth(billing, accountId, truth, actor);
    return null;
  });
}

async function noteReason({ db, clock }: Billing, accountId: string, reason: string | null, { userId, address }: Actor): Promise<void> {
  await writeAudit(
    db,
    { accountId, userId, action: "subscription.cancel-asked", after: { reason }, ...(address ? { address } : {}) },
    clock.now(),
  );
}

/** A trial is not charged: this only records the wish to stop, and the trial ends when it would have. */
async function markTrial(billing: Billing, accountId: string, actor: Actor): Promise<null> {
  await changeSubscription(billing, accountId, { actor }, ({ held, now }) => {
    if (!held || stateOf(held) !== "trial") return { next: null };
    const row = { ...held, ...nothingScheduled, cancelAt: held.periodEndsAt };
    return { next: { row, effects: [{ kind: "mail", name: "cancel-confirmed", at: now }] } };
  });
  return null;
}
