import type { Actor, Billing } from "./billing.ts";

/**
 * Undoes a cancellation, resumes what is paused (which charges), or gives the address of a checkout for the last paid plan where
 * the subscription is over. Refuses (AppError) subscription_not_found, payment_declined, payments_unavailable.
 */
export async function resubscribe(_billing: Billing, _accountId: string, _actor: Actor, _key: string): Promise<{ url: string | null }> {
  throw new Error("not there yet");
}
