import { describeDriver } from "#testing/drivers/driver-suite.ts";
import { makeProcessHarness } from "#testing/drivers/process-harness.ts";

// Compressed swap is set up where it can be; elsewhere the suite says what is missing.
describeDriver("process", () => makeProcessHarness({ freezing: { zramMb: 1_024 } }));
