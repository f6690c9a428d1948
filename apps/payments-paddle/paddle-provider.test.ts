import { describeProvider } from "#testing/provider-suite.ts";
import { createPaddleHarness } from "#testing/paddle-harness.ts";

describeProvider("Paddle", createPaddleHarness);
