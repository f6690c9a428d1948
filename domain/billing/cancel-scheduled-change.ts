import type { Actor, Billing } from "./billing.ts";

/** Takes back a change that waits for the period's end; nothing to take back is fine. Refuses (AppError) subscription_not_found, payments_unavailable. */
export async function cancelScheduledChange(_billing: Billing, _accountId: string, _actor: Actor, _key: string): Promise<void> {
  throw new Error("not there yet");
}
