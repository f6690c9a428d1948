/** A tenant can run any code in its workspace. These tests try from inside what it must not reach. */
// oxlint-disable vitest/no-conditional-expect -- what can be promised depends on whether this host can keep tenants apart.
// oxlint-disable vitest/expect-expect
import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import { describeIsolation } from "./host/describe-isolation.ts";
import { lowestUid } from "./host/first-uid.ts";
import { findHostTools } from "./host/host-tools.ts";
import { readRecord } from "./running/process-record.ts";
import { findProcess } from "./running/process-table.ts";
import { makeProcessHarness, type ProcessHarness } from "#testing/drivers/process-harness.ts";
import { workspacePaths } from "./storage/workspace-paths.ts";

let harness: ProcessHarness;
beforeAll(async () => void (harness = await makeProcessHarness()));
afterAll(() => harness.close());

test("a workspace runs as a separate user, or the driver says why not", async () => {
  const spec = buildRunSpec(harness.command);
  await harness.driver.ensure(spec);
  const { uid, gid, groups } = await harness.report(spec.workspaceId);
  if (harness.driver.isolation.isolated) {
    expect(uid).toBeGreaterThanOrEqual(lowestUid);
    expect((uid - spec.workspaceNumber) % 100_000).toBe(0);
    expect([gid, ...groups]).toEqual([uid, uid]);
  } else {
    expect(harness.driver.isolation.reason).toMatch(/\w+ \w+/);
    expect(uid).toBe(process.getuid?.());
  }
  await harness.driver.remove(spec.workspaceId);
});

test("a workspace gains no privileges, dumps no memory and dies before the control plane when memory runs out", async () => {
  const spec = buildRunSpec(harness.command);
  await harness.driver.ensure(spec);
  const { own } = await harness.processes(spec.workspaceId);
  if (process.platform === "linux") {
    expect(await readFile(`/proc/${own}/status`, "utf8")).toMatch(findHostTools().setpriv ? /NoNewPrivs:\t1/ : /NoNewPrivs/);
    expect(await readFile(`/proc/${own}/limits`, "utf8")).toMatch(/Max core file size +0 +0/);
    expect((await readFile(`/proc/${own}/oom_score_adj`, "utf8")).trim()).toBe("200");
  }
  await harness.driver.remove(spec.workspaceId);
});

test("a workspace reads neither another's files nor what the control plane keeps about it", async () => {
  const [mine, other] = [buildRunSpec(harness.command), buildRunSpec(harness.command)];
  await Promise.all([harness.driver.ensure(mine), harness.driver.ensure(other)]);
  await harness.store(other.workspaceId, "secret.txt", "secret");
  const paths = workspacePaths(harness.workspacesDir, mine.workspaceId);
  const closed = [
    path.join(workspacePaths(harness.workspacesDir, other.workspaceId).data, "secret.txt"),
    paths.record,
    paths.outputs[0],
    paths.ports,
  ];
  if (harness.driver.isolation.isolated)
    for (const file of closed) await expect(harness.act(mine.workspaceId, "read", { path: file })).rejects.toThrow(/ENOENT|EACCES/);
  await Promise.all([harness.driver.remove(mine.workspaceId), harness.driver.remove(other.workspaceId)]);
});

test("a link in the workspace does not lead the control plane to its own files", async () => {
  const spec = buildRunSpec(harness.command, { files: [] });
  await harness.driver.ensure(spec);
  const victim = await mkdtemp(path.join(tmpdir(), "slipway-victim-"));
  await writeFile(path.join(victim, "first.json"), "untouched");
  await symlink(victim, path.join(workspacePaths(harness.workspacesDir, spec.workspaceId).data, "settings"));
  const files = [{ path: "settings/first.json", content: "overwritten", mode: 0o600 }];
  if (harness.driver.isolation.isolated) {
    await expect(harness.driver.ensure({ ...spec, files })).rejects.toMatchObject({ code: "start_failed" });
    expect(await readFile(path.join(victim, "first.json"), "utf8")).toBe("untouched");
    expect(await readdir(victim)).toEqual(["first.json"]);
  }
  await harness.driver.remove(spec.workspaceId);
  expect(await readdir(victim)).toContain("first.json");
  await rm(victim, { recursive: true });
});

test("a file that cannot be put in place leaves nothing behind, and a folder in the place of an absent file is removed", async () => {
  const spec = buildRunSpec(harness.command, { files: [] });
  await harness.driver.ensure(spec);
  const { data } = workspacePaths(harness.workspacesDir, spec.workspaceId);
  await harness.store(spec.workspaceId, "key/inside/deep.txt", "in the way");
  const files = [{ path: "key", content: "secret", mode: 0o600 }];
  await expect(harness.driver.ensure({ ...spec, files })).rejects.toMatchObject({ code: "start_failed" });
  expect((await readdir(data)).filter((name) => name.startsWith(".new-"))).toEqual([]);
  await harness.driver.ensure({ ...spec, files, absent: ["key"] });
  expect(await readFile(path.join(data, "key"), "utf8")).toBe("secret");
  await harness.driver.remove(spec.workspaceId);
});

test("a workspace that ignores SIGTERM ends with all its child processes", async () => {
  const base = buildRunSpec(harness.command, { stopTimeoutMs: 300 });
  const spec = { ...base, command: [...base.command, "stubborn", "family"] };
  await harness.driver.ensure(spec);
  const { grandchildren, own } = await harness.processes(spec.workspaceId);
  expect(grandchildren).toHaveLength(2);
  const [inSession, ofItsOwn] = grandchildren as [number, number];
  await harness.driver.ensure({ ...spec, run: false });
  expect(await findProcess(own)).toBeUndefined();
  expect(await findProcess(inSession)).toBeUndefined();
  // Without separate users, a process that left the session cannot be told from an unrelated one.
  if (harness.driver.isolation.isolated) expect(await findProcess(ofItsOwn)).toBeUndefined();
  else process.kill(ofItsOwn, "SIGKILL");
  await harness.driver.remove(spec.workspaceId);
});

test("processes left by a dead workspace are ended before it starts again", async () => {
  const base = buildRunSpec(harness.command);
  const spec = { ...base, command: [...base.command, "family"] };
  await harness.driver.ensure(spec);
  const { grandchildren } = await harness.processes(spec.workspaceId);
  await harness.crash(spec.workspaceId);
  await vi.waitFor(async () => expect(await harness.driver.observe(spec.workspaceId)).toMatchObject({ state: "stopped" }), {
    timeout: 60_000,
  });
  // A sandbox ends with its main process.
  if (!harness.driver.isolation.isolated) expect(await findProcess(grandchildren[0]!)).toBeDefined();
  expect(await harness.driver.ensure(spec)).toMatchObject({ state: "running" });
  if (harness.driver.isolation.isolated) for (const pid of grandchildren) expect(await findProcess(pid)).toBeUndefined();
  await harness.driver.remove(spec.workspaceId);
});

test("a record that names an unrelated process does not harm that process", async () => {
  const spec = buildRunSpec(harness.command);
  await harness.driver.ensure(spec);
  await harness.driver.ensure({ ...spec, run: false });
  const paths = workspacePaths(harness.workspacesDir, spec.workspaceId);
  const record = (await readRecord(paths))!;
  const stranger = spawn("/bin/sleep", ["600"], { detached: true, stdio: "ignore" });
  const text = await readFile(paths.record, "utf8");
  await writeFile(paths.record, text.replace(/^\d+/, String(stranger.pid)));
  expect((await readRecord(paths))?.pid).toBe(stranger.pid);
  expect(record.pid).not.toBe(stranger.pid);
  expect(await harness.driver.observe(spec.workspaceId)).toMatchObject({ state: "stopped" });
  await harness.driver.ensure({ ...spec, run: false });
  expect(await harness.driver.ensure(spec)).toMatchObject({ state: "running" });
  await harness.driver.ensure({ ...spec, run: false });
  await writeFile(paths.record, text.replace(/^\d+/, String(stranger.pid)));
  await harness.driver.remove(spec.workspaceId);
  expect(await findProcess(stranger.pid!)).toBeDefined();
  stranger.kill("SIGKILL");
});

test("a closed folder on the path prevents isolation, and is named", async () => {
  const closed = await mkdtemp(path.join(tmpdir(), "slipway-closed-"));
  await mkdir(path.join(closed, "inner"));
  await chmod(closed, 0o700);
  const { isolated, reason } = describeIsolation([path.join(closed, "inner", "not-yet-there")]);
  expect(isolated).toBe(false);
  expect(reason).toMatch(/[a-z]/);
  if (describeIsolation([tmpdir()]).isolated) expect(reason).toContain(closed);
  await rm(closed, { recursive: true });
});
