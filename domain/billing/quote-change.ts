/** What a change of plan costs, and what it takes away, before anybody agrees to it. */
import type { ChangePreview } from "#contract/billing.ts";
import { askProvider } from "./ask-provider.ts";
import type { Billing, Choice } from "./billing.ts";
import { expiryOf, sealQuote } from "./sealed-quote.ts";
import { openChange, type OpenChange } from "./open-change.ts";
import { memoryOf, purchaseOf } from "./plan-facts.ts";
import type { ChangeQuote, ChangeRequest } from "./payment-provider.ts";
import { readUsedNow, stopsWorking } from "./stops-working.ts";

export type Timing = "now" | "period-end";

/**
 * The contract's preview. Without `timing`: up now, down at the period's end. Refuses (AppError) plan_not_found,
 * plan_withdrawn, subscription_not_found, update_billing_first (past due, paused or cancelled), validation_failed, payments_unavailable.
 */
export async function quoteChange(billing: Billing, accountId: string, wanted: Choice & { timing?: Timing | undefined }): Promise<ChangePreview> {
  const change = await openChange(billing, accountId, wanted);
  const request = changeRequest(change);
  const quote = await askProvider(() => billing.provider.previewChange(request, null));
  const isNow = change.timing === "now";
  const expiresAt = expiryOf(quote.quotedAt);
  const used = await readUsedNow(billing.db, accountId, billing.clock.now());
  return {
    previewId: sealQuote(billing.secrets, { accountId, version: change.held.version, purchase: request.purchase, timing: change.timing, quotedAt: quote.quotedAt.toISOString(), dueNow: quote.dueNow, expiresAt: expiresAt.toISOString() }),
    quotedAt: quote.quotedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    planId: change.to.plan.planId,
    planName: change.to.plan.name,
    direction: change.direction,
    timing: change.timing,
    effectiveAt: (isNow ? quote.quotedAt : change.held.periodEndsAt!).toISOString(),
    ...money(quote),
    stopsWorking: stopsWorking(change.from, change.to, used, isNow),
    restarts: isNow && changesMemory(billing, change),
  };
}

/** What is asked of the provider, now or an hour before the renewal. */
export function changeRequest({ held, to, timing }: OpenChange): ChangeRequest {
  return { subscriptionId: held.providerSubscriptionId!, purchase: purchaseOf(to.plan, to.quotas), billing: timing === "now" ? "now" : "next-period" };
}

/** Memory is the one limit that a running workspace cannot be given. */
export const changesMemory = (billing: Billing, { from, to }: OpenChange): boolean => memoryOf(from.plan, billing) !== memoryOf(to.plan, billing);

function money({ lines, tax, dueNow, creditAfter, nextRenewal }: ChangeQuote): Pick<ChangePreview, "lines" | "tax" | "dueNow" | "creditAfter" | "nextRenewal"> {
  return { lines: [...lines], tax, dueNow, creditAfter, nextRenewal: { at: nextRenewal.at.toISOString(), amount: nextRenewal.amount } };
}
