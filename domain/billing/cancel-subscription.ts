import type { Actor, Billing } from "./billing.ts";

/** Ends the subscription at the end of what is paid; a trial at its end, which it does anyway. Refuses (AppError) subscription_not_found, payments_unavailable. */
export async function cancelSubscription(_billing: Billing, _accountId: string, _why: { reason: string | null }, _actor: Actor, _key: string): Promise<void> {
  throw new Error("not there yet");
}
