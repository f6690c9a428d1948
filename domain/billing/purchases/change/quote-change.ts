/** What a change of plan costs and takes away, for a preview. */
import type { Choice } from "#domain/plans/plan-facts.ts";
import type { ChangePreview } from "#contract/billing/billing.ts";
import { findOwner } from "#domain/accounts/credential-store.ts";
import { askProvider } from "../../ask-provider.ts";
import type { Billing } from "../../billing.ts";
import { asksForNow, changeTerms, type ChangeTerms, type Timing } from "./change-terms.ts";
import { changesStart, isGivenByRestart } from "./changes-start.ts";
import { changeWords } from "./change-words.ts";
import { expiryOf, sealQuote } from "../sealed-quote.ts";
import { openChange, type OpenChange } from "./open-change.ts";
import { purchaseOf } from "#domain/plans/plan-facts.ts";
import type { ChangeQuote, ChangeRequest } from "#payments/payment-provider.ts";
import { readUsedNow, stopsWorking } from "./stops-working.ts";

/**
 * The contract's preview. Without `timing`: up now, down at the period's end. If a change now would return money, it is also made at the
 * period's end, or, if `timing` is now, immediately without a refund (change-terms.ts). Refuses (AppError) plan_not_found,
 * plan_withdrawn, subscription_not_found, update_billing_first (past due, paused or cancelled), validation_failed, payments_unavailable.
 */
export async function quoteChange(
  billing: Billing,
  accountId: string,
  wanted: Choice & { timing?: Timing | undefined },
): Promise<ChangePreview> {
  const change = await openChange(billing, accountId, wanted);
  const { terms, request, quote } = await askProvider(() => price(billing, change), undefined, "payments_unavailable");
  const isNow = terms.timing === "now";
  const expiresAt = expiryOf(quote.quotedAt);
  const [used, owner] = [await readUsedNow(billing.db, accountId, billing.clock.now()), await findOwner(billing.db, accountId)];
  return {
    previewId: sealQuote(billing.secrets, {
      accountId,
      version: change.held.version,
      purchase: request.purchase,
      ...terms,
      quotedAt: quote.quotedAt.toISOString(),
      dueNow: quote.dueNow,
      expiresAt: expiresAt.toISOString(),
    }),
    quotedAt: quote.quotedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    planId: change.to.plan.planId,
    planName: change.to.plan.name,
    direction: change.direction,
    timing: terms.timing,
    effectiveAt: (isNow ? quote.quotedAt : change.held.periodEndsAt!).toISOString(),
    ...money(quote),
    stopsWorking: [
      ...(isNow && terms.billing === "next-period" ? [changeWords.nothingBack(change.held.periodEndsAt!, owner?.timezone ?? null)] : []),
      ...stopsWorking(change.from, change.to, used, isNow, billing.delivery),
    ],
    // At the period's end only for more: a smaller plan takes nothing away before the next start.
    restarts: (isNow ? changesStart : isGivenByRestart)(billing, change.from.plan, change.to.plan),
  };
}

/** The request to the provider, made now or shortly before the renewal. */
export function changeRequest({ held, to }: OpenChange, billing: ChangeRequest["billing"]): ChangeRequest {
  return { subscriptionId: held.providerSubscriptionId!, purchase: purchaseOf(to.plan, to.quotas), billing };
}

/** The terms follow from what the change would cost now, and the quote from the terms. */
async function price(
  { provider }: Billing,
  change: OpenChange,
): Promise<{ terms: ChangeTerms; request: ChangeRequest; quote: ChangeQuote }> {
  const { wanted, direction, from, to } = change;
  const now = changeRequest(change, "now");
  const ofNow = asksForNow(change) ? await provider.previewChange(now, null) : null;
  const terms = changeTerms({ wanted, direction, givenBack: ofNow?.givenBack ?? null, from: from.plan, to: to.plan });
  if (ofNow && terms.billing === "now") return { terms, request: now, quote: ofNow };
  const request = changeRequest(change, terms.billing);
  return { terms, request, quote: await provider.previewChange(request, null) };
}

function money({
  lines,
  tax,
  dueNow,
  creditAfter,
  nextRenewal,
}: ChangeQuote): Pick<ChangePreview, "lines" | "tax" | "dueNow" | "creditAfter" | "nextRenewal"> {
  return { lines: [...lines], tax, dueNow, creditAfter, nextRenewal: { at: nextRenewal.at.toISOString(), amount: nextRenewal.amount } };
}
