/** The requirements for every driver. Passing this suite makes a driver. */
// oxlint-disable vitest/expect-expect -- the expectations stand in the functions below, one for each promise.
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Driver, RunSpec } from "#apps/provisioner/drivers/driver.ts";
import { DriverFailure } from "#apps/provisioner/drivers/driver.ts";
import { readNewOutput } from "#apps/provisioner/drivers/new-output.ts";
import { hashRunSpec } from "#apps/provisioner/drivers/hash-run-spec.ts";
import { buildRunSpec, type DriverHarness } from "./driver-harness.ts";
import { describeFreezing, saysWhyNot } from "./freezing-suite.ts";
import { describeReadySignals } from "./ready-suite.ts";
import { specFields } from "./spec-fields.ts";

interface DriverTraits {
  /** False: it has none of the members for this, on any host. Otherwise the host decides. */
  freezes?: false;
  hears?: false;
  reassigns?: false;
  ends?: false;
  /** True: its platform takes seconds for each start and stop, nearly all of them waiting, so several tests run at a time. */
  waits?: true;
}

/** The platform carries a line to its log, which takes longer on a busy machine. */
const outputWithinMs = 60_000;

/** Registers the whole suite for one driver. */
export function describeDriver(name: string, make: () => Promise<DriverHarness>, traits: DriverTraits = {}): void {
  describe(`the ${name} driver`, { concurrent: traits.waits === true }, () => {
    let harness: DriverHarness;
    beforeAll(async () => void (harness = await make()));
    afterAll(() => harness.close());

    for (const [field, { promise, check }] of Object.entries(specFields)) test(`spec.${field} ${promise}`, () => check(harness));
    test("ensuring twice, even simultaneously, gives one process", () => ensuresOnce(harness));
    test("a workspace never ensured is absent, and its log is empty", () => knowsNothing(harness));
    test("a removed workspace leaves nothing, and removing it again is fine", () => removes(harness));
    const ending = traits.ends === false ? describeNeverEnding : describeEnding;
    ending(() => harness);
    test("a workspace that dies is seen as stopped, and watchers are told", () => seesDeath(harness, harness.driver));
    test("a new driver over the same host finds running workspaces and leaves them alone", () => adopts(harness));
    test("a new driver notices the death of a workspace it did not start", () => seesDeath(harness, harness.restarted()));
    test("a list of what runs includes those that another driver started, which are watched from then on", () => listsRunning(harness));
    const hearing = traits.hears === false ? describeDeaf : describeReadySignals;
    hearing(() => harness);
    test("a caller who expects another workspace at an address reaches nothing of the one that has it", () => provesItsName(harness));
    test("the log holds the newest output, within the requested size", () => keepsLogs(harness));
    test("output since the last look is read once, also across a restart", () => readsNewOutput(harness));
    test("storage is read while a workspace runs, and put back while it is stopped, replacing what is there", () => copiesStorage(harness));
    test("a truncated archive changes nothing, and a running workspace is not touched", () => refusesBrokenArchives(harness));
    test("a spec that reaches outside its workspace is refused", () => refusesBadSpecs(harness));
    const reassigning = traits.reassigns === false ? describeNeverReassigning : describeReassigning;
    reassigning(() => harness);
    test("a driver that cannot freeze says why", () => saysWhyNot(harness));
    const freezing = traits.freezes === false ? describeNeverFrozen : describeFreezing;
    freezing(() => harness);
  });
}

function describeDeaf(harness: () => DriverHarness): void {
  test("a driver that cannot hear offers no signal", () => expect(harness().driver.readySignal).toBeUndefined());
}

function describeEnding(harness: () => DriverHarness): void {
  test("a workspace that another host has is ended, frozen or not, by any driver of the host, and keeps its data", () => ends(harness()));
  test("the list of stored workspaces names those with files on the host, running or not", () => listsStored(harness()));
}

function describeNeverEnding(harness: () => DriverHarness): void {
  test("a driver whose workspaces belong to no host ends none, and lists no files", () => {
    expect(harness().driver.end).toBeUndefined();
    expect(harness().driver.listStored).toBeUndefined();
  });
}

function describeNeverFrozen(harness: () => DriverHarness): void {
  test("a driver that never freezes cannot", () => expect(harness().driver.freeze).toBeUndefined());
}

async function becomesAnother(harness: DriverHarness): Promise<void> {
  const { driver } = harness;
  const blank = buildRunSpec(harness, { generation: 0, env: { SAYS: "blank" } });
  await expect(driver.reassign!(blank)).rejects.toThrow(DriverFailure);
  const first = await driver.ensure(blank);
  const { instance } = await harness.report(blank.workspaceId);
  await vi.waitFor(async () => expect(await driver.logs(blank.workspaceId, 1000)).not.toBe(""), outputWithinMs);
  const own = { ...blank, generation: 1, env: { SAYS: "own" } };
  const seen = await driver.reassign!(own);
  expect(seen).toMatchObject({ state: "running", address: first.address, generation: 1, specHash: hashRunSpec(own) });
  expect(seen.startedAt!.getTime()).toBeGreaterThanOrEqual(first.startedAt!.getTime());
  expect(await driver.logs(blank.workspaceId, 1000)).toBe("");
  expect(await driver.reassign!(own)).toMatchObject({ specHash: hashRunSpec(own) });
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
  const spec = buildRunSpec(harness);
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
  const spec = buildRunSpec(harness, { run: false });
  expect(await harness.driver.ensure(spec)).toEqual({ state: "stopped" });
  await harness.driver.remove(spec.workspaceId);
}

async function removes(harness: DriverHarness): Promise<void> {
  const spec = buildRunSpec(harness);
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

async function ends(harness: DriverHarness): Promise<void> {
  for (const isFrozen of [false, true]) {
    const spec = buildRunSpec(harness);
    await harness.driver.ensure(spec);
    await harness.report(spec.workspaceId);
    await harness.store(spec.workspaceId, "kept.txt", "kept");
    if (isFrozen) await harness.driver.freeze?.(spec.workspaceId);
    const driver = harness.restarted();
    await Promise.all([driver.end!(spec.workspaceId), driver.end!(spec.workspaceId)]);
    expect(await driver.observe(spec.workspaceId)).toMatchObject({ state: "stopped" });
    expect((await driver.listRunning()).has(spec.workspaceId)).toBe(false);
    await harness.driver.ensure(spec);
    await harness.report(spec.workspaceId);
    expect(await harness.stored(spec.workspaceId, "kept.txt")).toBe("kept");
    await harness.driver.remove(spec.workspaceId);
    await driver.end!(spec.workspaceId);
  }
}

async function listsStored(harness: DriverHarness): Promise<void> {
  const specs = [buildRunSpec(harness), buildRunSpec(harness, { run: false })];
  for (const spec of specs) await harness.driver.ensure(spec);
  const other = harness.restarted();
  const listed = async (): Promise<boolean[]> => {
    const stored = await other.listStored!();
    return specs.map(({ workspaceId }) => stored.includes(workspaceId));
  };
  expect(await listed()).toEqual([true, true]);
  for (const { workspaceId } of specs) await other.remove(workspaceId);
  expect(await listed()).toEqual([false, false]);
}

async function seesDeath(harness: DriverHarness, watcher: Driver): Promise<void> {
  const spec = buildRunSpec(harness);
  await harness.driver.ensure(spec);
  await harness.report(spec.workspaceId);
  await watcher.observe(spec.workspaceId);
  const heard: string[] = [];
  const endWatch = watcher.watch((workspaceId) => void (workspaceId === spec.workspaceId && heard.push(workspaceId)));
  await harness.crash(spec.workspaceId);
  await vi.waitFor(() => expect(heard).toEqual([spec.workspaceId]), 20_000);
  expect(await watcher.observe(spec.workspaceId)).toMatchObject({ state: "stopped" });
  // How it ended is known a moment later.
  await vi.waitFor(
    async () => expect(await harness.driver.observe(spec.workspaceId)).toMatchObject({ state: "stopped", exit: { at: expect.any(Date) } }),
    20_000,
  );
  endWatch();
  expect(await watcher.ensure(spec)).toMatchObject({ state: "running" });
  await watcher.remove(spec.workspaceId);
  expect(heard).toEqual([spec.workspaceId]);
}

async function adopts(harness: DriverHarness): Promise<void> {
  const spec = buildRunSpec(harness);
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
  const [runs, stopped] = [buildRunSpec(harness), buildRunSpec(harness, { run: false })];
  await harness.driver.ensure(runs);
  await harness.driver.ensure(stopped);
  await harness.report(runs.workspaceId);
  const heard: string[] = [];
  const own = [runs.workspaceId, stopped.workspaceId];
  const endWatch = other.watch((workspaceId) => void (own.includes(workspaceId) && heard.push(workspaceId)));
  const listed = await other.listRunning();
  expect([listed.has(runs.workspaceId), listed.has(stopped.workspaceId)]).toEqual([true, false]);
  await harness.crash(runs.workspaceId);
  await vi.waitFor(() => expect(heard).toEqual([runs.workspaceId]), 20_000);
  expect((await other.listRunning()).has(runs.workspaceId)).toBe(false);
  endWatch();
  await other.remove(runs.workspaceId);
  await other.remove(stopped.workspaceId);
}

/** Only if addresses are reused. Otherwise an address carries no mark, and its workspace is the only one that ever has it. */
async function provesItsName(harness: DriverHarness): Promise<void> {
  const spec = buildRunSpec(harness);
  const { address = "" } = await harness.driver.ensure(spec);
  await harness.report(spec.workspaceId);
  const { proving } = harness;
  const [mark, place] = address.split("@") as [string, string | undefined];
  expect(place === undefined).toBe(proving === undefined);
  if (proving && place) {
    const text = "a request that was meant for another workspace";
    // A stale route, one by a service with another key, and one that requires no proof.
    for (const expected of [`${proving.keys.named("another").mark}@`, `${mark}0@`, ""])
      await expect(proving.post(`${expected}${place}`, "print", { text: `${text}\n`, times: 1 })).rejects.toThrow();
    await proving.post(address, "print", { text: "its own\n", times: 1 });
    await vi.waitFor(async () => expect(await harness.driver.logs(spec.workspaceId, 10_000)).toContain("its own"), outputWithinMs);
    expect(await harness.driver.logs(spec.workspaceId, 10_000)).not.toContain(text);
    expect(await harness.restarted().observe(spec.workspaceId)).toMatchObject({ address });
  }
  await harness.driver.remove(spec.workspaceId);
}

async function keepsLogs(harness: DriverHarness): Promise<void> {
  const spec = buildRunSpec(harness);
  await harness.driver.ensure(spec);
  const { instance } = await harness.report(spec.workspaceId);
  // It answers as soon as it listens, which may be before its line has come through its platform.
  const all = await vi.waitFor(async () => {
    const text = await harness.driver.logs(spec.workspaceId, 10_000);
    expect(text).toContain(`started ${instance}\n`);
    return text;
  }, outputWithinMs);
  const end = await harness.driver.logs(spec.workspaceId, 5);
  expect(Buffer.byteLength(end)).toBeLessThanOrEqual(5);
  expect(all.endsWith(end)).toBe(true);
  expect(await harness.driver.logs(spec.workspaceId, 0)).toBe("");
  await harness.driver.remove(spec.workspaceId);
}

async function readsNewOutput(harness: DriverHarness): Promise<void> {
  const { driver } = harness;
  const spec = buildRunSpec(harness);
  const read = (mark: string | null) => readNewOutput(driver, spec.workspaceId, mark, 10_000);
  expect(await read(null)).toEqual({ text: "", mark: "", isCut: false });
  await driver.ensure(spec);
  const first = await harness.report(spec.workspaceId);
  const readStarted = (mark: string | null, instance: string) =>
    vi.waitFor(async () => {
      const output = await read(mark);
      expect(output.text).toContain(`started ${instance}\n`);
      return output;
    }, outputWithinMs);
  const seen = await readStarted(null, first.instance);
  expect(seen.isCut).toBe(false);
  expect(await read(seen.mark)).toEqual({ text: "", mark: seen.mark, isCut: false });
  await driver.ensure({ ...spec, generation: spec.generation + 1 });
  const second = await harness.report(spec.workspaceId);
  // A pod's output ends with it, so lines after the mark may be cut.
  const next = await readStarted(seen.mark, second.instance);
  expect(next.text).not.toContain(`started ${first.instance}\n`);
  expect((await read(next.mark)).text).toBe("");
  await driver.remove(spec.workspaceId);
}

async function copiesStorage(harness: DriverHarness): Promise<void> {
  const { driver } = harness;
  const spec = buildRunSpec(harness);
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
  const spec = buildRunSpec(harness);
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
  const good = buildRunSpec(harness);
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
    { image: "elsewhere.example/n8n:1" },
    { ports: ["http", "http"] },
    { stopTimeoutMs: Number.NaN },
  ];
  for (const change of bad) await expect(harness.driver.ensure({ ...good, ...change })).rejects.toThrow(DriverFailure);
  await expect(harness.driver.remove("../elsewhere")).rejects.toThrow(DriverFailure);
  await expect(harness.driver.observe("a/b")).rejects.toThrow(DriverFailure);
  await harness.driver.remove(good.workspaceId);
}

function describeReassigning(harness: () => DriverHarness): void {
  test("a running process becomes one of another spec without a restart, and its earlier output is gone", () => becomesAnother(harness()));
}

function describeNeverReassigning(harness: () => DriverHarness): void {
  test("a driver that cannot reassign a process has no such method", () => expect(harness().driver.reassign).toBeUndefined());
}
