import type { PaymentProvider } from "#payments/payment-provider.ts";
import type { SubscriptionRow } from "#domain/billing/subscription/subscription-states.ts";

/** The subscription's id at the configured provider; null for a trial, an ended one, or one at a previous provider. */
export function providerSubscriptionId(held: SubscriptionRow | null, provider: PaymentProvider): string | null {
  return held && held.provider === provider.name && held.status !== "deleted" ? held.providerSubscriptionId : null;
}
