import type { PaymentProvider } from "#payments/payment-provider.ts";
import type { SubscriptionRow } from "#domain/billing/subscription/subscription-states.ts";

/** The subscription at the provider that is asked now; null: a trial, an ended one, or one of a provider of former times. */
export function providerSubscriptionId(held: SubscriptionRow | null, provider: PaymentProvider): string | null {
  return held && held.provider === provider.name && held.status !== "deleted" ? held.providerSubscriptionId : null;
}
