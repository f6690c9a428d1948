import { writeAudit } from "#domain/accounts/audit-store.ts";
import { AppError } from "#platform/app-error.ts";
import { after, minuteMs } from "#platform/clock.ts";
import { applyProviderTruth } from "./apply-provider-truth.ts";
import { askProvider } from "./ask-provider.ts";
import type { Actor, Billing } from "./billing.ts";
import { once } from "./idempotency.ts";
import { readPlans } from "./plan-facts-store.ts";
import { startCheckout } from "./start-checkout.ts";
import { stateOf, type SubscriptionRow } from "./subscription-states.ts";
import { lockSubscription, saveSubscription } from "./subscription-store.ts";
import { putOffTimer } from "./timer-store.ts";

/** Longer than a payment and its bank may take. */
const heldOffMs = 15 * minuteMs;

/**
 * Undoes a cancellation, resumes what is paused (which charges), or gives the address of a checkout for the last paid plan where
 * the subscription is over. Refuses (AppError) subscription_not_found, payment_declined, payments_unavailable.
 */
export async function resubscribe(billing: Billing, accountId: string, actor: Actor, key: string): Promise<{ url: string | null }> {
  return once(billing, { accountId, key, call: "resubscribe", request: null }, async (providerKey) => {
    const held = await holdOffDeletion(billing, accountId, actor);
    if (!held) throw new AppError("subscription_not_found");
    switch (stateOf(held)) {
      case "trial":
        await undoTrialCancel(billing, accountId, actor);
        return { url: null };
      case "cancelling":
        return { url: await atProvider(billing, held, actor, (id) => billing.provider.undoCancel(id, providerKey)) };
      case "paused":
        return { url: await atProvider(billing, held, actor, (id) => billing.provider.resume(id, providerKey)) };
      case "active":
      case "past-due":
        return { url: null };
      case "ended":
      case "gone":
        return checkoutAgain(billing, held, actor, key);
      case "none":
        throw new AppError("subscription_not_found");
    }
  });
}

/** Under the row's lock: either the deletion has happened, or it waits until this is decided. */
async function holdOffDeletion(billing: Billing, accountId: string, { userId, address }: Actor): Promise<SubscriptionRow | null> {
  return billing.db.transaction(async (tx) => {
    const held = await lockSubscription(tx, accountId);
    await putOffTimer(tx, accountId, "deletion", after(billing.clock.now(), heldOffMs));
    if (held) await writeAudit(tx, { accountId, userId, action: "subscription.resubscribe-asked", before: { status: held.status, cancelAt: held.cancelAt }, ...(address ? { address } : {}) }, billing.clock.now());
    return held;
  });
}

async function atProvider(billing: Billing, held: SubscriptionRow, actor: Actor, act: (subscriptionId: string) => ReturnType<Billing["provider"]["resume"]>): Promise<null> {
  if (held.provider !== billing.provider.name) throw new AppError("payments_unavailable", { internal: `the subscription is at ${held.provider}` });
  const truth = await askProvider(() => act(held.providerSubscriptionId!));
  await applyProviderTruth(billing, held.accountId, truth, actor);
  await billing.settlePayments(held.accountId).catch((error: unknown) => billing.log.warn({ err: error, account: held.accountId }, "a payment could not be settled at once; its event does it"));
  return null;
}

async function undoTrialCancel(billing: Billing, accountId: string, actor: Actor): Promise<void> {
  await billing.db.transaction(async (tx) => {
    const held = await lockSubscription(tx, accountId);
    if (!held || stateOf(held) !== "trial" || !held.cancelAt) return;
    const next = { row: { ...held, cancelAt: null }, effects: [{ kind: "audit" as const, action: "subscription.cancel-undone" }] };
    await saveSubscription(tx, { billing, accountId, held, next, plans: await readPlans(tx), actor });
  });
}

/** What has ended cannot be brought back: it is bought again, as it was. Nobody paid for a trial, so it has nothing to go back to. */
async function checkoutAgain(billing: Billing, held: SubscriptionRow, actor: Actor, key: string): Promise<{ url: string }> {
  if (held.provider === null) throw new AppError("subscription_not_found");
  const quotas = held.customExecutions === null || held.customWorkflows === null ? null : { monthlyExecutions: held.customExecutions, activeWorkflows: held.customWorkflows };
  return startCheckout(billing, held.accountId, { planId: held.planId, quotas, currency: held.currency }, actor, `again-${key}`.slice(0, 64));
}
