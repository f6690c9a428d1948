import { expect, test } from "vitest";
import { buildRunSpec } from "#testing/driver-suite.ts";
import { makeProcessHarness } from "./process-harness.ts";

test("the memory of what runs is told, whoever started it, and nothing of what does not", async () => {
  const harness = await makeProcessHarness();
  try {
    const [running, stopped] = [buildRunSpec(harness.command), buildRunSpec(harness.command)];
    await Promise.all([running, stopped].map((spec) => harness.driver.ensure(spec)));
    await harness.driver.ensure({ ...stopped, run: false });
    await harness.report(running.workspaceId);
    const usage = await harness.restarted().usage!([running.workspaceId, stopped.workspaceId, "never-seen"]);
    expect([...usage.keys()]).toEqual([running.workspaceId]);
    // A bare Node takes some 40 to 60 MB.
    expect(usage.get(running.workspaceId)!.memoryMb).toBeGreaterThan(20);
    expect(usage.get(running.workspaceId)!.memoryMb).toBeLessThan(500);
  } finally {
    await harness.close();
  }
});
