/** The requirements for every driver. Passing this suite makes a driver. */
// oxlint-disable vitest/expect-expect -- the expectations stand in the functions below, one for each promise.
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Driver, RunSpec } from "#apps/provisioner/drivers/driver.ts";
import { DriverFailure } from "#apps/provisioner/drivers/driver.ts";
import { hashRunSpec } from "#apps/provisioner/drivers/hash-run-spec.ts";
import { buildRunSpec, type DriverHarness } from "./driver-harness.ts";
import { describeFreezing } from "./freezing-suite.ts";
import { describeReadySignals } from "./ready-suite.ts";
import { specFields } from "./spec-fields.ts";

/** Registers the whole suite for one driver. */
export function describeDriver(name: string, make: () => Promise<DriverHarness>): void {
  describe(`the ${name} driver`, { timeout: 30_000 }, () => {
    let harness: DriverHarness;
    beforeAll(async () => void (harness = await make()));
    afterAll(() => harness.close());

    for (const [field, { promise, check }] of Object.entries(specFields)) test(`spec.${field} ${promise}`, () => check(harness));
    test("ensuring twice, even simultaneously, gives one process", () => ensuresOnce(harness));
    test("a workspace never ensured is absent, and its log is empty", () => knowsNothing(harness));
    test("a removed workspace leaves nothing, and removing it again is fine", () => removes(harness));
    test("a workspace that dies is seen as stopped, and watchers are told", () => seesDeath(harness, harness.driver));
    test("a new driver over the same host finds running workspaces and leaves them alone", () => adopts(harness));
    test("a new driver notices the death of a workspace it did not start", () => seesDeath(harness, harness.restarted()));
    test("a list of what runs names those that another driver started, and has them watched from then on", () => listsRunning(harness));
    describeReadySignals(() => harness);
    test("the log holds the newest output, within the requested size", () => keepsLogs(harness));
    test("storage is read while a workspace runs, and put back while it is stopped, in place of what is there", () =>
      copiesStorage(harness));
    test("a truncated archive changes nothing, and a running workspace is not touched", () => refusesBrokenArchives(harness));
    test("a spec that reaches outside its workspace is refused", () => refusesBadSpecs(harness));
    test("a running process becomes one of another spec without a restart, and its earlier output is gone", () => becomesAnother(harness));
    describeFreezing(() => harness);
  });
}

async function becomesAnother(harness: DriverHarness): Promise<void> {
  const { driver } = harness;
  const blank = buildRunSpec(harness.command, { generation: 0, env: { SAYS: "blank" } });
  await expect(driver.adopt!(blank)).rejects.toThrow(DriverFailure);
  const first = await driver.ensure(blank);
  const { instance } = await harness.report(blank.workspaceId);
  await vi.waitFor(async () => expect(await driver.logs(blank.workspaceId, 1000)).not.toBe(""), 5_000);
  const own = { ...blank, generation: 1, env: { SAYS: "own" } };
  const seen = await driver.adopt!(own);
  expect(seen).toMatchObject({ state: "running", address: first.address, generation: 1, specHash: hashRunSpec(own) });
  expect(seen.startedAt!.getTime()).toBeGreaterThanOrEqual(first.startedAt!.getTime());
  expect(await driver.logs(blank.workspaceId, 1000)).toBe("");
  expect(await driver.adopt!(own)).toMatchObject({ specHash: hashRunSpec(own) });
  // Another worker of the host sees the same, and a start from the new spec leaves it alone.
  expect(await harness.restarted().observe(own.workspaceId)).toMatchObject({ generation: 1, specHash: hashRunSpec(own) });
  await harness.restarted().ensure(own);
  expect((await harness.report(own.workspaceId)).instance).toBe(instance);
  await driver.ensure({ ...own, generation: 2 });
  expect(await harness.report(own.workspaceId)).toMatchObject({ env: { SAYS: "own" } });
  expect((await harness.report(own.workspaceId)).instance).not.toBe(instance);
  await driver.remove(own.workspaceId);
}

async function ensuresOnce(harness: DriverHarness): Promise<void> {
  const spec = buildRunSpec(harness.command);
  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => harness.driver.ensure(spec)));
  for (const other of others) expect(other).toEqual(first);
  const { instance } = await harness.report(spec.workspaceId);
  // Key order is not a difference.
  expect(await harness.driver.ensure(Object.fromEntries(Object.entries(spec).toReversed()) as unknown as RunSpec)).toEqual(first);
  expect((await harness.report(spec.workspaceId)).instance).toBe(instance);
  await harness.driver.remove(spec.workspaceId);
}

async function knowsNothing(harness: DriverHarness): Promise<void> {
  expect(await harness.driver.observe("never-seen")).toEqual({ state: "absent" });
  expect(await harness.driver.logs("never-seen", 1_000)).toBe("");
  await harness.driver.remove("never-seen");
  const spec = buildRunSpec(harness.command, { run: false });
  expect(await harness.driver.ensure(spec)).toEqual({ state: "stopped" });
  await harness.driver.remove(spec.workspaceId);
}

async function removes(harness: DriverHarness): Promise<void> {
  const spec = buildRunSpec(harness.command);
  await harness.driver.ensure(spec);
  await harness.report(spec.workspaceId);
  await harness.store(spec.workspaceId, "gone.txt", "gone");
  await Promise.all([harness.driver.remove(spec.workspaceId), harness.driver.remove(spec.workspaceId)]);
  expect(await harness.driver.observe(spec.workspaceId)).toEqual({ state: "absent" });
  await harness.driver.remove(spec.workspaceId);
  await harness.driver.ensure(spec);
  await harness.report(spec.workspaceId);
  expect(await harness.stored(spec.workspaceId, "gone.txt")).toBeUndefined();
  await harness.driver.remove(spec.workspaceId);
}

async function seesDeath(harness: DriverHarness, watcher: Driver): Promise<void> {
  const spec = buildRunSpec(harness.command);
  await harness.driver.ensure(spec);
  await harness.report(spec.workspaceId);
  await watcher.observe(spec.workspaceId);
  const heard: string[] = [];
  const endWatch = watcher.watch((workspaceId) => heard.push(workspaceId));
  await harness.crash(spec.workspaceId);
  await vi.waitFor(() => expect(heard).toEqual([spec.workspaceId]), { timeout: 5_000 });
  expect(await watcher.observe(spec.workspaceId)).toMatchObject({ state: "stopped" });
  expect(await harness.driver.observe(spec.workspaceId)).toMatchObject({ state: "stopped", exit: { at: expect.any(Date) } });
  endWatch();
  expect(await watcher.ensure(spec)).toMatchObject({ state: "running" });
  await watcher.remove(spec.workspaceId);
  expect(heard).toEqual([spec.workspaceId]);
}

async function adopts(harness: DriverHarness): Promise<void> {
  const spec = buildRunSpec(harness.command);
  const seen = await harness.driver.ensure(spec);
  const { instance } = await harness.report(spec.workspaceId);
  const next = harness.restarted();
  expect(await next.observe(spec.workspaceId)).toEqual(seen);
  expect(await next.ensure(spec)).toEqual(seen);
  expect((await harness.report(spec.workspaceId)).instance).toBe(instance);
  expect(await next.ensure({ ...spec, run: false })).toMatchObject({ state: "stopped" });
  await next.remove(spec.workspaceId);
  expect(await harness.driver.observe(spec.workspaceId)).toEqual({ state: "absent" });
}

async function listsRunning(harness: DriverHarness): Promise<void> {
  const other = harness.restarted();
  const [runs, stopped] = [buildRunSpec(harness.command), buildRunSpec(harness.command, { run: false })];
  await harness.driver.ensure(runs);
  await harness.driver.ensure(stopped);
  await harness.report(runs.workspaceId);
  const heard: string[] = [];
  const endWatch = other.watch((workspaceId) => heard.push(workspaceId));
  const listed = await other.listRunning();
  expect([listed.has(runs.workspaceId), listed.has(stopped.workspaceId)]).toEqual([true, false]);
  await harness.crash(runs.workspaceId);
  await vi.waitFor(() => expect(heard).toEqual([runs.workspaceId]), { timeout: 5_000 });
  expect((await other.listRunning()).has(runs.workspaceId)).toBe(false);
  endWatch();
  await other.remove(runs.workspaceId);
  await other.remove(stopped.workspaceId);
}

async function keepsLogs(harness: DriverHarness): Promise<void> {
  const spec = buildRunSpec(harness.command);
  await harness.driver.ensure(spec);
  const { instance } = await harness.report(spec.workspaceId);
  const all = await harness.driver.logs(spec.workspaceId, 10_000);
  expect(all).toContain(`started ${instance}`);
  const end = await harness.driver.logs(spec.workspaceId, 5);
  expect(Buffer.byteLength(end)).toBeLessThanOrEqual(5);
  expect(all.endsWith(end)).toBe(true);
  expect(await harness.driver.logs(spec.workspaceId, 0)).toBe("");
  await harness.driver.remove(spec.workspaceId);
}

async function copiesStorage(harness: DriverHarness): Promise<void> {
  const { driver } = harness;
  const spec = buildRunSpec(harness.command);
  await driver.ensure(spec);
  await harness.report(spec.workspaceId);
  const write = (path: string, content: string) => harness.store(spec.workspaceId, path, content);
  await write("things/one.txt", "one");
  await write("things/deep/two words.txt", "ü".repeat(100_000));
  await write("outside.txt", "as it was");
  const archive = await buffer(await driver.readStorage(spec, ["things", "missing"]));
  await write("things/one.txt", "spoilt");
  await write("things/three.txt", "three");
  await write("missing", "new");
  await write("outside.txt", "newer");
  await driver.ensure({ ...spec, run: false });
  for (const _twice of [1, 2]) await driver.replaceStorage(spec, ["things", "missing"], Readable.from(archive, { objectMode: false }));
  await driver.ensure(spec);
  await harness.report(spec.workspaceId);
  const read = (path: string) => harness.stored(spec.workspaceId, path);
  expect([await read("things/one.txt"), await read("things/three.txt"), await read("missing"), await read("outside.txt")]).toEqual([
    "one",
    undefined,
    undefined,
    "newer",
  ]);
  expect(await read("things/deep/two words.txt")).toBe("ü".repeat(100_000));
  // The workspace can change it again.
  await write("things/one.txt", "changed");
  expect(await read("things/one.txt")).toBe("changed");
  expect((await buffer(await driver.readStorage(spec, ["missing"]))).every((byte) => byte === 0)).toBe(true);
  await driver.remove(spec.workspaceId);
}

async function refusesBrokenArchives(harness: DriverHarness): Promise<void> {
  const { driver } = harness;
  const spec = buildRunSpec(harness.command);
  await driver.ensure(spec);
  await harness.report(spec.workspaceId);
  await harness.store(spec.workspaceId, "things/one.txt", "one");
  const archive = await buffer(await driver.readStorage(spec, ["things"]));
  await expect(driver.replaceStorage(spec, ["things"], Readable.from(archive, { objectMode: false }))).rejects.toThrow(DriverFailure);
  await driver.ensure({ ...spec, run: false });
  const breaking = async function* () {
    yield archive.subarray(0, 700);
    throw new Error("the line went dead");
  };
  await expect(driver.replaceStorage(spec, ["things"], Readable.from(breaking(), { objectMode: false }))).rejects.toThrow(DriverFailure);
  await expect(driver.replaceStorage(spec, ["../things"], Readable.from(archive, { objectMode: false }))).rejects.toThrow(DriverFailure);
  await expect(driver.readStorage(spec, ["/etc/passwd"])).rejects.toThrow(DriverFailure);
  await driver.ensure(spec);
  await harness.report(spec.workspaceId);
  expect(await harness.stored(spec.workspaceId, "things/one.txt")).toBe("one");
  await driver.remove(spec.workspaceId);
}

async function refusesBadSpecs(harness: DriverHarness): Promise<void> {
  const good = buildRunSpec(harness.command);
  const bad: Partial<RunSpec>[] = [
    { workspaceId: "../elsewhere" },
    { workspaceId: ".." },
    { workspaceNumber: -1 },
    { workspaceNumber: 0.5 },
    { command: ["relative"] },
    { env: { "A=B": "" } },
    { env: { A: "\0" } },
    { env: { LD_PRELOAD: "{{folder}}/x.so" } },
    { files: [{ path: "../up", content: "", mode: 0o600 }] },
    { files: [{ path: "/etc/x", content: "", mode: 0o600 }] },
    { files: [{ path: "x", content: "{{port.none}}", mode: 0o600 }] },
    { absent: ["../up"] },
    { absent: ["/etc/x"] },
    { ports: ["http", "http"] },
    { stopTimeoutMs: Number.NaN },
  ];
  for (const change of bad) await expect(harness.driver.ensure({ ...good, ...change })).rejects.toThrow(DriverFailure);
  await expect(harness.driver.remove("../elsewhere")).rejects.toThrow(DriverFailure);
  await expect(harness.driver.observe("a/b")).rejects.toThrow(DriverFailure);
  await harness.driver.remove(good.workspaceId);
}
