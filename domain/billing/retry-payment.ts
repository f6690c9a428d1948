import type { Actor, Billing } from "./billing.ts";

/** Tries the open payment of a past-due subscription now. Refuses (AppError) subscription_not_found, payment_declined, payment_action_required, payments_unavailable. */
export async function retryPayment(_billing: Billing, _accountId: string, _actor: Actor, _key: string): Promise<void> {
  throw new Error("not there yet");
}
