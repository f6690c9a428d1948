/** Full disks, taken ports, missing programs, endless output. */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import { asDriverFailure } from "../driver-trouble.ts";
import { makeProcessHarness, type ProcessHarness } from "#testing/drivers/process-harness.ts";
import { workspacePaths } from "./storage/workspace-paths.ts";

const maxLogBytes = 64 * 1024;
let harness: ProcessHarness;
beforeAll(async () => void (harness = await makeProcessHarness({ maxLogBytes })));
afterAll(() => harness.close());

test("a missing program is a failed start with that reason", async () => {
  const spec = buildRunSpec(["/nowhere/engine"]);
  await expect(harness.driver.ensure(spec)).rejects.toMatchObject({
    code: "start_failed",
    message: expect.stringContaining("/nowhere/engine"),
  });
  expect(await harness.driver.observe(spec.workspaceId)).toMatchObject({ state: "stopped" });
  await harness.driver.remove(spec.workspaceId);
});

test("a workspace that exits leaves its exit code, and its output survives the next start", async () => {
  const spec = buildRunSpec(harness.command);
  await harness.driver.ensure(spec);
  const { instance } = await harness.report(spec.workspaceId);
  await harness.act(spec.workspaceId, "exit", { code: 3 });
  await vi.waitFor(
    async () => expect(await harness.driver.observe(spec.workspaceId)).toMatchObject({ state: "stopped", exit: { code: 3, signal: null } }),
    { timeout: 60_000 },
  );
  await harness.driver.ensure(spec);
  const next = await harness.report(spec.workspaceId);
  const text = await harness.driver.logs(spec.workspaceId, 10_000);
  expect(text.indexOf(`started ${instance}`)).toBeGreaterThanOrEqual(0);
  expect(text.indexOf(`started ${next.instance}`)).toBeGreaterThan(text.indexOf(`started ${instance}`));
  await harness.driver.remove(spec.workspaceId);
});

test("endless output is limited, and its newest part is kept", async () => {
  const spec = buildRunSpec(harness.command);
  await harness.driver.ensure(spec);
  const { outputs } = workspacePaths(harness.workspacesDir, spec.workspaceId);
  for (let round = 0; round < 5; round += 1) {
    await harness.act(spec.workspaceId, "print", { text: `round ${round} ${"ü".repeat(50)}\n`, times: 2_000 });
    await harness.driver.observe(spec.workspaceId);
  }
  await harness.act(spec.workspaceId, "print", { text: "the last line\n", times: 1 });
  await vi.waitFor(async () => expect(await harness.driver.logs(spec.workspaceId, 100)).toMatch(/the last line\n$/), { timeout: 60_000 });
  expect(await harness.driver.logs(spec.workspaceId, 1_000)).toContain("round 4");
  await harness.driver.observe(spec.workspaceId);
  for (const file of outputs) expect((await stat(file).catch(() => ({ size: 0 }))).size).toBeLessThanOrEqual(maxLogBytes);
  await harness.driver.remove(spec.workspaceId);
});

test("a restart keeps the ports, unless another program has taken one", async () => {
  const spec = buildRunSpec(harness.command);
  const first = await harness.driver.ensure(spec);
  const port = Number(first.address?.split(":")[1]);
  expect(port).toBeGreaterThanOrEqual(20_000);
  expect(port).toBeLessThan(30_000);
  expect((await harness.driver.ensure({ ...spec, generation: 2 })).address).toBe(first.address);
  await harness.driver.ensure({ ...spec, run: false });
  const thief = createServer();
  await new Promise<void>((resolve) => thief.listen(port, "127.0.0.1", resolve));
  const moved = await harness.restarted().ensure(spec);
  expect(moved.address).not.toBe(first.address);
  expect((await harness.report(spec.workspaceId)).args).toContain(moved.address?.split(":")[1]);
  thief.close();
  await harness.driver.remove(spec.workspaceId);
});

test("running out of ports is reported as such, and another workspace's port is not given away", async () => {
  // Below the usual range, in which other tests take ports at the same time.
  const from = randomInt(12_000, 19_999);
  const small = await makeProcessHarness({ portRange: { from, to: from + 1 } });
  const spec = buildRunSpec(small.command, { ports: ["http"], command: [...small.command, "{{folder}}", "{{address}}", "{{port.http}}"] });
  await small.driver.ensure(spec);
  await small.driver.ensure({ ...spec, run: false });
  const greedy = buildRunSpec(small.command);
  await expect(small.restarted().ensure(greedy)).rejects.toMatchObject({ code: "port_in_use" });
  await small.close();
});

test("Ctrl-C stops every workspace and keeps its data", async () => {
  const own = await makeProcessHarness();
  const specs = Array.from({ length: 3 }, () => buildRunSpec(own.command));
  for (const spec of specs) await own.driver.ensure(spec);
  for (const spec of specs) await own.store(spec.workspaceId, "kept.txt", "kept");
  await own.driver.stopAll();
  for (const spec of specs) {
    expect(await own.driver.observe(spec.workspaceId)).toMatchObject({ state: "stopped" });
    // Mounts its disk again, if it has one.
    await own.driver.ensure(spec);
    expect(await readFile(path.join(workspacePaths(own.workspacesDir, spec.workspaceId).data, "kept.txt"), "utf8")).toBe("kept");
  }
  await own.close();
});

test("a full disk is reported as no room, and the error clears when there is space", async () => {
  const full = Object.assign(new Error("write"), { code: "ENOSPC" });
  expect(asDriverFailure(full, "start_failed", "it could not be started")).toMatchObject({ code: "no_room" });
  const disk = await mkdtemp(path.join(tmpdir(), "slipway-disk-"));
  // Only root can mount a small disk; without root, the system's answer above has to do.
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=16m,mode=0755", "none", disk]).status === 0) await tryFullDisk(disk);
  await rm(disk, { recursive: true });
});

async function tryFullDisk(disk: string): Promise<void> {
  try {
    const workspacesDir = path.join(disk, "workspaces");
    const own = await makeProcessHarness({ workspacesDir, floorMb: 0 });
    const big = path.join(disk, "big");
    const spec = buildRunSpec(own.command);
    await writeFile(big, Buffer.alloc(17_000_000)).catch(() => undefined);
    await expect(own.driver.ensure(spec)).rejects.toMatchObject({ code: "no_room" });
    await rm(big);
    expect(await own.driver.ensure(spec)).toMatchObject({ state: "running" });
    await own.driver.remove(spec.workspaceId);
    await own.close();
  } finally {
    spawnSync("umount", ["-l", disk]);
  }
}
