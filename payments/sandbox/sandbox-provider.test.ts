import { describeProvider } from "#testing/payments/provider-suite/provider-suite.ts";
import { createSandboxHarness } from "#testing/payments/sandbox-harness.ts";

describeProvider("sandbox", createSandboxHarness);
