import { expect, test } from "vitest";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import { makeProcessHarness } from "#testing/drivers/process-harness.ts";

test("memory is reported for running workspaces, whichever process started them, and not for stopped ones", async () => {
  const harness = await makeProcessHarness();
  try {
    const [running, stopped] = [buildRunSpec(harness.command), buildRunSpec(harness.command)];
    await Promise.all([running, stopped].map((spec) => harness.driver.ensure(spec)));
    await harness.driver.ensure({ ...stopped, run: false });
    await harness.report(running.workspaceId);
    const usage = await harness.restarted().usage!([running.workspaceId, stopped.workspaceId, "never-seen"]);
    expect([...usage.keys()]).toEqual([running.workspaceId]);
    // A bare Node takes 10 to 30 MB.
    expect(usage.get(running.workspaceId)!.memoryMb).toBeGreaterThan(5);
    expect(usage.get(running.workspaceId)!.memoryMb).toBeLessThan(500);
  } finally {
    await harness.close();
  }
});

test("memory shared by processes and cached file pages do not count as a workspace's memory", async () => {
  const harness = await makeProcessHarness();
  const spec = buildRunSpec(harness.command, { memoryMb: 512 });
  const used = async (): Promise<number> => (await harness.driver.usage!([spec.workspaceId])).get(spec.workspaceId)!.memoryMb;
  const run = (script: string) => harness.act(spec.workspaceId, "run", { script });
  try {
    await harness.driver.ensure(spec);
    await harness.report(spec.workspaceId);
    const before = await used();
    await run("dd if=/dev/zero of=big bs=1M count=150 2>/dev/null; cat big > /dev/null");
    expect(await used()).toBeLessThan(before + 40);
    await run(
      `node=$(readlink /proc/$PPID/exe); for i in 1 2 3 4 5 6; do "$node" -e "fs.mkdtempSync('up-'); setTimeout(() => 0, 60000)" >/dev/null 2>&1 & done
       until [ $(ls -d up-* | wc -l) -eq 6 ]; do sleep 0.1; done 2>/dev/null`,
    );
    // Each maps about 40 MB of Node's own program.
    expect(await used()).toBeLessThan(before + 200);
    await run(
      'node=$(readlink /proc/$PPID/exe); "$node" -e "globalThis.all = Buffer.alloc(150 * 1024 * 1024, 1); setTimeout(() => all, 60000)" >/dev/null 2>&1 &',
    );
    await expect.poll(used).toBeGreaterThan(before + 140);
  } finally {
    await harness.close();
  }
});

test("processor time and disk are those of the workspace's own group and disk, and absent without them", async () => {
  const harness = await makeProcessHarness();
  const spec = buildRunSpec(harness.command, { memoryMb: 512 });
  const used = async () => (await harness.driver.usage!([spec.workspaceId])).get(spec.workspaceId)!;
  const run = (script: string) => harness.act(spec.workspaceId, "run", { script });
  try {
    await harness.driver.ensure(spec);
    await harness.report(spec.workspaceId);
    const before = await used();
    if (!harness.driver.isolation.isolated) return expect(before).not.toHaveProperty("diskMb");
    // A second of processor time, however long this machine takes to provide it.
    await run(
      'dd if=/dev/urandom of=big bs=1M count=50 2>/dev/null; sync big; node=$(readlink /proc/$PPID/exe); "$node" -e "while (process.cpuUsage().user < 1e6);"',
    );
    const after = await used();
    expect(after.diskMb! - before.diskMb!).toBeGreaterThanOrEqual(50);
    expect(after.diskMb! - before.diskMb!).toBeLessThan(60);
    expect(after.cpuSeconds! - before.cpuSeconds!).toBeGreaterThan(0.9);
  } finally {
    await harness.close();
  }
});
