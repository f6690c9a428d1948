import { describeDriver } from "#testing/drivers/driver-suite.ts";
import { makeProcessHarness } from "#testing/drivers/process-harness.ts";

describeDriver("process", makeProcessHarness);
