import { describeProvider } from "#testing/provider-suite.ts";
import { createSandboxHarness } from "#testing/sandbox-harness.ts";

describeProvider("sandbox", createSandboxHarness);
