/** A change of plan, as it was previewed. */
import type { Actor, Billing, Choice } from "./billing.ts";
import type { Timing } from "./quote-change.ts";

export interface AgreedChange extends Choice {
  previewId: string;
  timing?: Timing | undefined;
}

/**
 * Changes at once, or writes down the change for the period's end. The same key is done once, also when the first try was
 * killed halfway. Refuses (AppError) what quoteChange refuses, preview_stale, payment_declined, payment_action_required (`detail` has
 * the address where it is confirmed, if there is one).
 */
export async function confirmChange(_billing: Billing, _accountId: string, _agreed: AgreedChange, _actor: Actor, _key: string): Promise<void> {
  throw new Error("not there yet");
}
