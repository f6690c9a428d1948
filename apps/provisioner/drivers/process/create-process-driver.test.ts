import { describeDriver } from "#testing/driver-suite.ts";
import { makeProcessHarness } from "./process-harness.ts";

describeDriver("process", makeProcessHarness);
