/** The driver on a real Docker. */
import { makeDockerHarness } from "#testing/drivers/docker-harness.ts";
import { describeDriver } from "#testing/drivers/driver-suite.ts";

describeDriver("docker", () => makeDockerHarness("docker"), { freezes: false, hears: false, reassigns: false, ends: false });
