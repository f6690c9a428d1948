import { makeDockerHarness } from "#testing/drivers/docker-harness.ts";
import { describeDriver } from "#testing/drivers/driver-suite.ts";

describeDriver("docker (on Podman)", () => makeDockerHarness("podman"), { freezes: false, hears: false, reassigns: false, ends: false });
