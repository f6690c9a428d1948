/** Opens the page where a plan is paid for the first time, or anew after the last subscription ended. */
import type { Actor, Billing, Choice } from "./billing.ts";

/**
 * Gives the address of the provider's page. The same key opens one checkout. Refuses (AppError) plan_not_found,
 * plan_withdrawn, already_subscribed, validation_failed for quotas out of bounds, payments_unavailable. The currency is that of the
 * account's first purchase, then the one asked for where the plan has it, then USD.
 */
export async function startCheckout(_billing: Billing, _accountId: string, _wanted: Choice & { currency: string | null }, _actor: Actor, _key: string): Promise<{ url: string }> {
  throw new Error("not there yet");
}
