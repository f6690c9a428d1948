/** A control plane to be killed by tests: reports when it begins, ensures one workspace, and reports when it is done. */
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import type { RunSpec } from "#apps/provisioner/drivers/driver.ts";
import { createProcessDriver } from "#apps/provisioner/drivers/process/create-process-driver.ts";

const { workspacesDir, readablePaths, spec } = JSON.parse(process.argv[2] ?? "{}") as {
  workspacesDir: string;
  readablePaths: string[];
  spec: RunSpec;
};
const driver = createProcessDriver({ workspacesDir, readablePaths, log: createLog("silent"), clock: systemClock });
process.stdout.write("begins\n");
await driver.ensure(spec);
process.stdout.write("ensured\n");
setInterval(() => undefined, 1_000);
