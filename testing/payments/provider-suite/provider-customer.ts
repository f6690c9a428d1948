/** A customer who buys, for the payment provider suite and for tests built on a provider. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { BillingDetails } from "#contract/billing/billing.ts";
import type { CheckoutRequest, ProviderSubscription, Purchase } from "#payments/payment-provider.ts";
import type { ProviderHarness, SuiteCard } from "./provider-harness.ts";

/** Plans of domain/plans/plans.json; the expectations rely on their USD prices. */
export const buy = (planId: string, extraExecutionUnits = 0, extraWorkflowUnits = 0): Purchase => ({
  planId,
  extraExecutionUnits,
  extraWorkflowUnits,
});

export const germanDetails: BillingDetails = {
  name: "Ada Lovelace",
  line1: "Straße 1",
  line2: "",
  postalCode: "10115",
  city: "Berlin",
  country: "DE",
  vatId: "",
};

/** Each account has its own email address, since a provider may allow one customer per address. */
export const checkoutRequest = ({ accountId = randomUUID(), ...changes }: Partial<CheckoutRequest> = {}): CheckoutRequest => ({
  accountId,
  email: `ada-${accountId}@example.com`,
  name: "Ada Lovelace",
  purchase: buy("pro-1-monthly"),
  currency: "USD",
  customerId: null,
  details: germanDetails,
  successUrl: "https://panel.example/account/change-plan/done",
  cancelUrl: "https://panel.example/account/change-plan",
  ...changes,
});

/** A customer who has bought, and the provider's view of them. */
export async function subscribe(
  harness: ProviderHarness,
  card: SuiteCard = "visa",
  changes: Partial<CheckoutRequest> = {},
): Promise<ProviderSubscription> {
  const checkout = await harness.provider.createCheckout(checkoutRequest(changes), randomUUID());
  expect(await harness.pay(checkout, card)).toBe("paid");
  const { state, subscriptionId } = await harness.provider.readCheckout(checkout.checkoutId);
  expect(state).toBe("paid");
  return look(harness, subscriptionId!);
}

export async function look({ provider }: ProviderHarness, id: string): Promise<ProviderSubscription> {
  const found = await provider.readSubscription(id);
  expect(found).not.toBeNull();
  return found!;
}
