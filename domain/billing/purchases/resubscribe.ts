import { writeAudit } from "#domain/audit/audit-store.ts";
import { AppError } from "#platform/app-error.ts";
import { minuteMs } from "#platform/clock.ts";
import { applyProviderTruth } from "../provider-truth/apply-provider-truth.ts";
import { askProvider } from "../ask-provider.ts";
import type { Actor, Billing } from "../billing.ts";
import { changeSubscription } from "../carry-out.ts";
import { once } from "../idempotency.ts";
import { arrangedRenewal, readEnding } from "./quote-resubscribe.ts";
import { openResumeQuote } from "./sealed-quote.ts";
import { startCheckout } from "./checkout/start-checkout.ts";
import { isArranged, keptQuotas, stateOf, unpaidTime, type SubscriptionRow } from "../subscription/subscription-states.ts";
import { lockSubscription } from "../subscription/subscription-store.ts";
import { putBackTimer, putOffTimer } from "../subscription/timer-store.ts";

/** Longer than a payment and the bank's confirmation may take. */
const heldOffMs = 15 * minuteMs;

/**
 * Undoes a cancellation, resumes a paused subscription (charging exactly what `previewId` says), or returns the address of
 * a checkout for the last paid plan if the subscription is over. Refuses (AppError) subscription_not_found, preview_stale,
 * payment_declined, payment_action_required, payments_unavailable.
 */
export async function resubscribe(
  billing: Billing,
  accountId: string,
  previewId: string | null,
  actor: Actor,
  key: string,
): Promise<{ url: string | null }> {
  return once(billing, { accountId, key, call: "resubscribe", request: previewId }, async (providerKey) => {
    const held = await readEnding(billing, accountId);
    if (!held) throw new AppError("subscription_not_found");
    if (isArranged(held)) throw new AppError("subscription_not_found", { detail: arrangedRenewal });
    await noteAsked(billing, held, actor);
    switch (stateOf(held)) {
      case "trial":
        await undoTrialCancel(billing, accountId, actor);
        return { url: null };
      case "cancelling":
        await take(billing, held, actor, () => billing.provider.undoCancel(held.providerSubscriptionId!, providerKey));
        return { url: null };
      case "paused":
        await resume(billing, held, previewId, actor, providerKey);
        return { url: null };
      case "past-due":
        if (held.cancelAt) await take(billing, held, actor, () => billing.provider.undoCancel(held.providerSubscriptionId!, providerKey));
        return { url: null };
      case "active":
        return { url: null };
      case "ended":
      case "gone":
        return checkoutAgain(billing, held, actor, providerKey);
      case "none":
        throw new AppError("subscription_not_found");
    }
  });
}

async function noteAsked(
  { db, clock }: Billing,
  { accountId, status, cancelAt }: SubscriptionRow,
  { userId, address }: Actor,
): Promise<void> {
  await writeAudit(
    db,
    { accountId, userId, action: "subscription.resubscribe-asked", before: { status, cancelAt }, ...(address ? { address } : {}) },
    clock.now(),
  );
}

const mayBePaid: ReadonlySet<string> = new Set(["payments_unavailable", "still_in_progress", "payment_action_required"]);

/** Charges the agreed sum. The deletion waits for the bank once, for a quarter of an hour at most; a refusal delays nothing. */
async function resume(billing: Billing, held: SubscriptionRow, previewId: string | null, actor: Actor, key: string): Promise<void> {
  const { db, clock, provider, secrets } = billing;
  const { accountId } = held;
  if (previewId === null) throw new AppError("preview_stale");
  const quote = openResumeQuote(secrets, previewId, accountId, clock.now());
  await db.transaction(async (tx) => {
    const locked = await lockSubscription(tx, accountId);
    if (!locked || locked.version !== quote.version || stateOf(locked) !== "paused") throw new AppError("preview_stale");
    await putOffTimer(tx, accountId, "deletion", clock.now(), heldOffMs);
  });
  try {
    await take(billing, held, actor, () => provider.resume(held.providerSubscriptionId!, quote.dueNow, key, unpaidTime(held, clock.now())));
  } catch (error) {
    // Without an answer it may have been paid, and a customer at their bank is about to pay, so the deletion checks again before it acts.
    if (error instanceof AppError && !mayBePaid.has(error.code)) await putBackTimer(db, accountId, "deletion");
    throw error;
  }
}

/** Acts at the provider and takes over the result. */
async function take(
  billing: Billing,
  held: SubscriptionRow,
  actor: Actor,
  act: () => ReturnType<Billing["provider"]["resume"]>,
): Promise<void> {
  if (held.provider !== billing.provider.name)
    throw new AppError("payments_unavailable", { internal: `the subscription is at ${held.provider}` });
  const truth = await askProvider(act);
  await applyProviderTruth(billing, held.accountId, truth, actor);
  await billing
    .settlePayments(held.accountId)
    .catch((error: unknown) =>
      billing.log.warn({ err: error, accountId: held.accountId }, "a payment could not be settled yet; its event will settle it"),
    );
}

async function undoTrialCancel(billing: Billing, accountId: string, actor: Actor): Promise<void> {
  await changeSubscription(billing, accountId, { actor }, ({ held }) => {
    if (!held || stateOf(held) !== "trial" || !held.cancelAt) return { next: null };
    return { next: { row: { ...held, cancelAt: null }, effects: [{ kind: "audit", action: "subscription.cancel-undone" }] } };
  });
}

/** An ended subscription cannot be resumed, so the same plan is bought again. A trial was never paid, so it has nothing to return to. */
async function checkoutAgain(billing: Billing, held: SubscriptionRow, actor: Actor, key: string): Promise<{ url: string }> {
  if (held.provider === null) throw new AppError("subscription_not_found");
  return startCheckout(
    billing,
    held.accountId,
    { planId: held.planId, quotas: keptQuotas(held), currency: held.currency },
    actor,
    `again-${key}`,
  );
}
