/** A data folder copied beside its original, on one host: neither touches the other's workspaces. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import { createProcessDriver } from "../create-process-driver.ts";
import { claimFirstUid, originalOf } from "../host/first-uid.ts";
import { makeProcessHarness } from "#testing/drivers/process-harness.ts";
import { workspacePaths } from "./workspace-paths.ts";

const isRoot = process.platform === "linux" && process.getuid?.() === 0;

function host() {
  const folder = mkdtempSync(path.join(tmpdir(), "slipway-claims-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const folders = (name: string) => path.join(folder, name);
  const make = (name: string, first?: number) => {
    mkdirSync(path.join(folders(name), "w1", "run"), { recursive: true });
    writeFileSync(path.join(folders(name), "w1", "run", "process"), "a process");
    if (first !== undefined) writeFileSync(path.join(folders(name), ".first-uid"), String(first));
    return folders(name);
  };
  return { make, folders, claims: folders("claims") };
}

test("a range of user ids belongs to one folder of a host, and a copy of the folder gets another one", () => {
  const { make, claims } = host();
  const original = make("original", 300_000);
  const copy = make("copy", 300_000);
  expect(claimFirstUid(original, claims)).toBe(300_000);
  expect(claimFirstUid(original, claims)).toBe(300_000);
  expect(originalOf(original)).toBeUndefined();
  const other = claimFirstUid(copy, claims);
  expect(other).not.toBe(300_000);
  expect(claimFirstUid(copy, claims)).toBe(other);
  expect(originalOf(copy)).toBe(original);
  expect(() => readFileSync(path.join(copy, "w1", "run", "process"))).toThrow(/ENOENT/);
  expect(readFileSync(path.join(original, "w1", "run", "process"), "utf8")).toBe("a process");
  expect(claimFirstUid(original, claims)).toBe(300_000);
});

test.runIf(isRoot)("no other user of the host can block the claims", () => {
  const { make, folders } = host();
  chmodSync(path.dirname(folders("notes")), 0o755);
  // As left by an older program.
  mkdirSync(folders("notes"), { mode: 0o755 });
  claimFirstUid(make("workspaces"), path.join(folders("notes"), "claims"));
  const holding = spawnSync("flock", ["-n", path.join(folders("notes"), "uid-ranges.lock"), "true"], {
    uid: 65_534,
    gid: 65_534,
    encoding: "utf8",
  });
  expect(holding.stderr).toContain("Permission denied");
  expect(holding.status).not.toBe(0);
});

test("a folder for claims that cannot be created is reported in words", () => {
  const { make, folders } = host();
  writeFileSync(folders("notes"), "a file");
  expect(() => claimFirstUid(make("workspaces"), path.join(folders("notes"), "claims"))).toThrow(
    /^No user ids could be claimed for workspaces on this host: /,
  );
});

test("a moved folder keeps its range, and a deleted one releases it", () => {
  const { make, folders, claims } = host();
  const before = make("before", 400_000);
  claimFirstUid(before, claims);
  renameSync(before, folders("after"));
  expect(claimFirstUid(folders("after"), claims)).toBe(400_000);
  expect(readFileSync(path.join(folders("after"), "w1", "run", "process"), "utf8")).toBe("a process");
  rmSync(folders("after"), { recursive: true });
  expect(claimFirstUid(make("next", 400_000), claims)).toBe(400_000);
});

test("a copy of a data folder does not adopt, stop or delete the original's workspaces, and starts its own beside them", async () => {
  const harness = await makeProcessHarness();
  const spec = buildRunSpec(harness.command);
  const running = await harness.driver.ensure(spec);
  await harness.store(spec.workspaceId, "note.txt", "from before the copy");
  const copyDir = `${harness.workspacesDir}-copy`;
  execFileSync("sync", ["-f", workspacePaths(harness.workspacesDir, spec.workspaceId).data]);
  execFileSync("cp", ["-a", "--sparse=always", "--one-file-system", harness.workspacesDir, copyDir]);
  const copy = createProcessDriver({
    workspacesDir: copyDir,
    log: createLog("silent"),
    clock: systemClock,
    readablePaths: [process.execPath, harness.command[1]!],
  });
  onTestFinished(async () => {
    await copy.stopAll();
    await harness.close();
  });
  expect(await copy.observe(spec.workspaceId)).toEqual({ state: "stopped" });
  const beside = await copy.ensure(spec);
  expect(beside.state).toBe("running");
  expect(beside.address).not.toBe(running.address);
  // It runs before it listens.
  const read = () =>
    fetch(`http://${beside.address}/read`, { method: "POST", body: JSON.stringify({ path: "note.txt" }) }).then(
      (answer) => answer.json(),
      () => undefined,
    );
  await expect.poll(read, { timeout: 60_000 }).toMatchObject({ content: "from before the copy" });
  expect(await harness.driver.observe(spec.workspaceId)).toEqual(running);
  await copy.remove(spec.workspaceId);
  expect(await harness.driver.observe(spec.workspaceId)).toEqual(running);
  expect(await harness.stored(spec.workspaceId, "note.txt")).toBe("from before the copy");
});
