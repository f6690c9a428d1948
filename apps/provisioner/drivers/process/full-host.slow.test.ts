/** A host with a full disk, simulated on a small disk: the room promised to workspaces is missing. */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { leaveDisks } from "#testing/containers/own-mounts.ts";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import { makeProcessHarness, type ProcessHarness } from "#testing/drivers/process-harness.ts";
import type { RunSpec } from "../driver.ts";
import { usualNetworkPolicy } from "./sandbox/network/firewall.ts";
import { findSandboxTools } from "./sandbox/sandbox-tools.ts";

const isPossible = process.platform === "linux" && process.getuid?.() === 0 && findSandboxTools().tools !== undefined;

async function smallHost(sizeMb: number, floorMb: number) {
  const folder = mkdtempSync(path.join(tmpdir(), "slipway small-"));
  chmodSync(folder, 0o755);
  const resize = (mb: number, how: string): void =>
    void execFileSync("mount", ["-t", "tmpfs", "-o", `${how}size=${mb}m,mode=0755`, "tmpfs", folder]);
  resize(sizeMb, "");
  const workspacesDir = path.join(folder, "workspaces");
  const harness = await makeProcessHarness({
    workspacesDir,
    floorMb,
    limits: { cpus: 2, diskMb: 256, network: usualNetworkPolicy },
  });
  onTestFinished(async () => {
    await harness.close();
    execFileSync("umount", ["-l", folder]);
    rmSync(folder, { recursive: true });
  });
  return { harness, workspacesDir, folder, enlarge: (mb: number) => resize(mb, "remount,") };
}

/** A running workspace that has stored something, and whose disks then take no writes. */
async function runOnBrokenDisks(harness: ProcessHarness, workspacesDir: string): Promise<RunSpec> {
  const spec = buildRunSpec(harness.command);
  await harness.driver.ensure(spec);
  await harness.store(spec.workspaceId, "note.txt", "stored before");
  execFileSync("sync", []);
  for (const disk of ["data", "logs"]) makeReadOnly(path.join(workspacesDir, spec.workspaceId, disk));
  return spec;
}

/** As after an error of the disk mounted there. */
function makeReadOnly(folder: string): void {
  const breakDisk = 'echo 1 > "/sys/fs/ext4/$(basename "$(findmnt -no SOURCE "$1")")/trigger_fs_error"';
  execFileSync("/bin/sh", ["-c", breakDisk, "sh", folder]);
}

test.runIf(isPossible)(
  "a workspace whose disk is read-only is noticed, and its next start repairs the disk once the host has room",
  async () => {
    const { harness, enlarge } = await smallHost(24, 8);
    const { driver } = harness;
    const spec = buildRunSpec(harness.command);
    await driver.ensure(spec);
    await harness.store(spec.workspaceId, "note.txt", "stored before");
    execFileSync("sync", []);
    expect((await driver.observe(spec.workspaceId)).readOnly).toBeUndefined();
    const fill = async (round: number) => {
      await harness.store(spec.workspaceId, `much-${round}.txt`, "x".repeat(12 * 1024 * 1024)).catch(() => undefined);
      execFileSync("/bin/sh", ["-c", "sync || :"]);
      return (await driver.observe(spec.workspaceId)).readOnly;
    };
    let round = 0;
    await expect.poll(() => fill(round++), { timeout: 180_000, interval: 500 }).toBe(true);

    await driver.ensure({ ...spec, run: false });
    await expect(driver.ensure(spec)).rejects.toMatchObject({ code: "no_room" });
    enlarge(300);
    const again = await driver.ensure(spec);
    expect(again).toMatchObject({ state: "running" });
    expect(again.readOnly).toBeUndefined();
    expect(await harness.stored(spec.workspaceId, "note.txt")).toBe("stored before");
    await harness.store(spec.workspaceId, "after.txt", "stored after");
    expect(await harness.stored(spec.workspaceId, "after.txt")).toBe("stored after");
  },
);

test.runIf(isPossible)("a workspace whose disks are read-only can be stopped on a full host, and its next start repairs them", async () => {
  const { harness, workspacesDir, enlarge } = await smallHost(64, 8);
  const { driver } = harness;
  const spec = await runOnBrokenDisks(harness, workspacesDir);
  execFileSync("/bin/sh", ["-c", `cat /dev/zero > '${workspacesDir}/much' 2>/dev/null || :`]);
  expect(await driver.ensure({ ...spec, run: false })).toMatchObject({ state: "stopped" });
  await expect(driver.ensure(spec)).rejects.toMatchObject({ code: "no_room" });
  // As after a restart of the host.
  for (const disk of ["data", "logs"]) execFileSync("umount", ["-l", path.join(workspacesDir, spec.workspaceId, disk)]);
  expect(await driver.ensure({ ...spec, run: false })).toMatchObject({ state: "stopped" });
  await expect(driver.ensure(spec)).rejects.toMatchObject({ code: "no_room" });
  expect(await driver.hasRoomToReplace!(spec)).toBe(false);
  // What it stores can still be copied, to leave this host.
  expect((await buffer(await driver.readStorage(spec, ["note.txt"]))).toString()).toContain("stored before");
  expect(await driver.logs(spec.workspaceId, 1_000)).toContain("started");
  await expect(driver.ensure(spec)).rejects.toMatchObject({ code: "no_room" });
  enlarge(300);
  expect((await driver.ensure(spec)).readOnly).toBeUndefined();
  expect(await harness.stored(spec.workspaceId, "note.txt")).toBe("stored before");
  expect(await driver.logs(spec.workspaceId, 1_000)).toContain("started");
});

test.runIf(isPossible)("the output of a workspace whose disks are read-only can be read, and its next start repairs both", async () => {
  const { harness, workspacesDir } = await smallHost(300, 8);
  const { driver } = harness;
  const spec = await runOnBrokenDisks(harness, workspacesDir);
  expect((await driver.observe(spec.workspaceId)).readOnly).toBe(true);
  for (let times = 0; times < 2; times += 1) expect(await driver.logs(spec.workspaceId, 1_000)).toContain("started");
  expect((await driver.observe(spec.workspaceId)).state).toBe("running");
  await driver.ensure({ ...spec, run: false });
  expect((await driver.ensure(spec)).readOnly).toBeUndefined();
  expect(await harness.stored(spec.workspaceId, "note.txt")).toBe("stored before");
  await harness.report(spec.workspaceId);
  expect(await driver.logs(spec.workspaceId, 1_000)).toContain("started");
});

test.runIf(isPossible)("a broken disk that something else on the host holds is not used until it can be repaired", async () => {
  const { harness, workspacesDir, folder } = await smallHost(300, 8);
  const { driver } = harness;
  const spec = await runOnBrokenDisks(harness, workspacesDir);
  // As a service started now would, which sees in its own namespace what is mounted here, and keeps it. Other tests' disks it leaves.
  const holder = spawn(
    "unshare",
    ["--mount", "/bin/sh", "-c", `keep=$1\n${leaveDisks}exec sleep 60`, "sh", path.basename(folder).split(" ")[1]!],
    {
      stdio: "ignore",
    },
  );
  onTestFinished(() => void holder.kill("SIGKILL"));
  await expect.poll(() => readFileSync(`/proc/${holder.pid}/comm`, "utf8").trim()).toBe("sleep");
  await driver.ensure({ ...spec, run: false });
  // The second time, nothing is mounted here any more; the third time, it is for reading.
  for (let times = 0; times < 3; times += 1) {
    await expect(driver.ensure(spec)).rejects.toThrow(/waits for a repair, and something on this host still uses it/);
    if (times > 0) expect((await buffer(await driver.readStorage(spec, ["note.txt"]))).toString()).toContain("stored before");
  }
  holder.kill("SIGKILL");
  expect((await driver.ensure(spec)).readOnly).toBeUndefined();
  expect(await harness.stored(spec.workspaceId, "note.txt")).toBe("stored before");
});

test.runIf(isPossible)(
  "below the floor of the host's disk no workspace is launched and the host reports it, and existing ones still start",
  async () => {
    const { harness, enlarge } = await smallHost(64, 30);
    const spec = buildRunSpec(harness.command);
    await harness.driver.ensure(spec);
    expect(await harness.driver.holdHost!()).toEqual([]);
    enlarge(29);
    expect(await harness.driver.holdHost!()).toEqual([
      { kind: "room", detail: expect.stringMatching(/has \d+ MB left on its disk, below the floor of 30 MB/) as string },
    ]);
    await expect(harness.driver.ensure(buildRunSpec(harness.command))).rejects.toMatchObject({ code: "no_room" });
    expect(await harness.driver.ensure({ ...spec, generation: spec.generation + 1 })).toMatchObject({ state: "running" });
  },
);
