import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import { makeProcessHarness, type ProcessHarness } from "#testing/drivers/process-harness.ts";
import { createProcessDriver, type ProcessDriver } from "../create-process-driver.ts";
import { allFolders, findControllers, freezerFolder } from "../sandbox/control-groups/find-controllers.ts";
import { networkName } from "../sandbox/network/network.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";

let harness: ProcessHarness;
let kernel: string;
beforeAll(async () => {
  harness = await makeProcessHarness({ freezing: { zramMb: 1_024 } });
  kernel = mkdtempSync(path.join(tmpdir(), "slipway-swap-"));
});
afterAll(async () => {
  await harness.close();
  rmSync(kernel, { recursive: true });
});

/** Another control plane over the same workspaces, on a host whose kernel lists this swap. */
function driverWith(swaps: readonly string[]): ProcessDriver {
  listSwap(swaps);
  const swapFiles = { swaps: path.join(kernel, "swaps"), blocks: kernel };
  const { workspacesDir, command } = harness;
  return createProcessDriver({
    workspacesDir,
    log: createLog("silent"),
    clock: systemClock,
    readablePaths: command,
    freezing: { swapFiles },
  });
}

const listSwap = (swaps: readonly string[]): void =>
  writeFileSync(path.join(kernel, "swaps"), ["Filename", ...swaps.map((name) => `${name} partition 1000 0 -2`)].join("\n"));

test("without swap, workspaces are not frozen, the operator is told why, and those already frozen can be thawed", async () => {
  const without = driverWith([]);
  expect(without.freeze).toBeUndefined();
  expect(without.cannotFreeze).toMatch(without.isolation.isolated ? /no swap/ : /only isolated workspaces/);
  const spec = buildRunSpec(harness.command);
  const seen = await without.ensure(spec);
  await harness.report(spec.workspaceId);
  expect(await without.thaw!(spec.workspaceId)).toEqual(seen);
  if (harness.driver.freeze) {
    await harness.driver.freeze(spec.workspaceId);
    expect(await without.observe(spec.workspaceId)).toMatchObject({ frozen: true });
    expect(await without.thaw!(spec.workspaceId)).toEqual(seen);
    await harness.report(spec.workspaceId);
  }
  await without.remove(spec.workspaceId);
});

test("swap on an open disk, added later, stops workspaces from being frozen", async ({ skip }) => {
  skip(harness.driver.freeze === undefined, harness.driver.cannotFreeze);
  const driver = driverWith(["/dev/zram7"]);
  const spec = buildRunSpec(harness.command);
  const seen = await driver.ensure(spec);
  listSwap(["/dev/zram7", "/swapfile"]);
  await expect(driver.freeze!(spec.workspaceId)).rejects.toThrow(/\/swapfile.*encrypted/);
  expect(await driver.observe(spec.workspaceId)).toEqual(seen);
  await harness.report(spec.workspaceId);
  await driver.remove(spec.workspaceId);
});

test("a workspace that was started before the host could freeze is refused, and continues", async ({ skip }) => {
  skip(harness.driver.freeze === undefined, harness.driver.cannotFreeze);
  const spec = buildRunSpec(harness.command);
  const seen = await harness.driver.ensure(spec);
  const { uid } = await harness.report(spec.workspaceId);
  const controllers = findControllers()!;
  const folder = freezerFolder(controllers, networkName(uid))!;
  if (controllers.version === 2) return skip("in version 2 every group can be frozen");
  for (const pid of readFileSync(path.join(folder, "cgroup.procs"), "utf8").trim().split("\n"))
    writeFileSync(path.join(controllers.freezer!, "cgroup.procs"), pid);
  await expect(harness.driver.freeze!(spec.workspaceId)).rejects.toThrow(/restart it/);
  expect(await harness.driver.observe(spec.workspaceId)).toEqual(seen);
  await harness.report(spec.workspaceId);
  await harness.driver.remove(spec.workspaceId);
});

test("a frozen workspace whose process is killed is seen as stopped once it is thawed, and starts again", async ({ skip }) => {
  skip(harness.driver.freeze === undefined, harness.driver.cannotFreeze);
  const spec = buildRunSpec(harness.command);
  await harness.driver.ensure(spec);
  const { own } = await harness.processes(spec.workspaceId);
  await harness.driver.freeze!(spec.workspaceId);
  process.kill(own, "SIGKILL");
  await harness.driver.thaw!(spec.workspaceId);
  await expect.poll(() => harness.driver.observe(spec.workspaceId)).toMatchObject({ state: "stopped" });
  expect(await harness.driver.ensure(spec)).not.toHaveProperty("frozen");
  await harness.report(spec.workspaceId);
  await harness.driver.remove(spec.workspaceId);
});

test("memory comes back whole, and a thaw does not wait for a page-out under way", async ({ skip }) => {
  skip(harness.driver.freeze === undefined, harness.driver.cannotFreeze);
  const spec = buildRunSpec(harness.command, { memoryMb: 512 });
  await harness.driver.ensure(spec);
  const run = (script: string) => harness.act(spec.workspaceId, "run", { script }) as Promise<{ output: string }>;
  const sum = "cd /dev/shm; cksum kept";
  const { output } = await run(`cd /dev/shm; head -c 150000000 /dev/urandom > kept; ${sum}`);
  const freezing = harness.driver.freeze!(spec.workspaceId);
  const thawed = await harness.driver.thaw!(spec.workspaceId);
  expect(thawed).not.toHaveProperty("frozen");
  await freezing;
  await harness.driver.freeze!(spec.workspaceId);
  await harness.driver.thaw!(spec.workspaceId);
  expect((await run(sum)).output).toBe(output);
  await harness.driver.remove(spec.workspaceId);
});

test("after a thaw, even by another control plane, a workspace has the limits that it was started with, and no swap", async ({ skip }) => {
  skip(harness.driver.freeze === undefined, harness.driver.cannotFreeze);
  const spec = buildRunSpec(harness.command, { memoryMb: 256 });
  await harness.driver.ensure(spec);
  const { uid } = await harness.report(spec.workspaceId);
  const names =
    /^(memory\.(limit_in_bytes|memsw\.limit_in_bytes|swappiness|max|swap\.max)|cpu\.(cfs_quota_us|cfs_period_us|max)|pids\.max)$/;
  const limits = () =>
    allFolders(findControllers()!, networkName(uid)).flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => names.test(name))
        .map((name) => `${name} ${readFileSync(path.join(folder, name), "utf8").trim()}`),
    );
  const before = limits();
  expect(before.length).toBeGreaterThan(3);
  await harness.driver.freeze!(spec.workspaceId);
  await harness.restarted().thaw!(spec.workspaceId);
  expect(limits()).toEqual(before);
  await harness.driver.freeze!(spec.workspaceId);
  await harness.driver.thaw!(spec.workspaceId);
  expect(limits()).toEqual(before);
  await harness.driver.remove(spec.workspaceId);
});
