import { describeProvider } from "#testing/payments/provider-suite/provider-suite.ts";
import { createStripeHarness } from "#testing/payments/stripe-harness.ts";

describeProvider("Stripe", createStripeHarness);
