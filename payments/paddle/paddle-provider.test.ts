import { describeProvider } from "#testing/payments/provider-suite/provider-suite.ts";
import { createPaddleHarness } from "#testing/payments/paddle-harness.ts";

describeProvider("Paddle", createPaddleHarness);
