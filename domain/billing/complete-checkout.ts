/** Somebody is back from the payment page, maybe before the provider's event. */
import type { Billing } from "./billing.ts";

/** Looks at the provider what became of the account's open checkouts and applies it. Changes nothing where nothing is paid. Refuses (AppError) payments_unavailable. */
export async function completeCheckout(_billing: Billing, _accountId: string): Promise<void> {
  throw new Error("not there yet");
}
