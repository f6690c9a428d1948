import { describeProvider } from "#testing/provider-suite.ts";
import { createStripeHarness } from "#testing/stripe-harness.ts";

describeProvider("Stripe", createStripeHarness);
