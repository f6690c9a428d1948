/** The requirements for every driver. Passing this suite makes a driver. */
// oxlint-disable vitest/expect-expect -- the expectations stand in the functions below, one for each promise.
import { randomBytes, randomInt } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Driver, ReadySignal, RunObservation, RunSpec } from "#apps/provisioner/drivers/driver.ts";
import { DriverFailure } from "#apps/provisioner/drivers/driver.ts";
import { hashRunSpec } from "#apps/provisioner/drivers/hash-run-spec.ts";

/** What a running workspace reports about itself. */
export interface WorkspaceReport {
  /** Differs at each start. */
  instance: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  folder: string;
}

/** A host with a driver, and ways to inspect its workspaces that a driver itself doesn't offer. */
export interface DriverHarness {
  driver: Driver;
  /** Another driver on the same host, as after a restart of the control plane. */
  restarted(): Driver;
  /** Program and first arguments of a reporting workspace; a spec's own arguments come after. */
  command: readonly string[];
  report(workspaceId: string): Promise<WorkspaceReport>;
  store(workspaceId: string, path: string, content: string): Promise<void>;
  stored(workspaceId: string, path: string): Promise<string | undefined>;
  crash(workspaceId: string): Promise<void>;
  /** Has a workspace with `{{ready}}` in its environment, as READY, say `times` times that it is ready. */
  sayReady(workspaceId: string, times: number): Promise<void>;
  /** Makes a spec whose workspace ignores the request to stop. */
  makeStubborn(spec: RunSpec): Promise<RunSpec>;
  close(): Promise<void>;
}

/** A spec of the harness's reporting workspace, for a new workspace. */
export function buildRunSpec(command: readonly string[], overrides: Partial<RunSpec> = {}): RunSpec {
  return {
    workspaceId: `w-${randomBytes(6).toString("hex")}`,
    workspaceNumber: randomInt(1, 90_000),
    run: true,
    generation: 1,
    command: [...command, "{{folder}}", "{{address}}", "{{port.http}}", "{{port.broker}}"],
    env: { GREETING: "good morning", HOME: "{{folder}}", PORT: "{{port.http}}" },
    files: [{ path: "settings/first.json", content: '{"at":"{{folder}}"}', mode: 0o600 }],
    ports: ["http", "broker"],
    memoryMb: 256,
    stopTimeoutMs: 5_000,
    ...overrides,
  };
}

type Check = (harness: DriverHarness) => Promise<void>;

/** One check for each field: a new field of RunSpec without a check here does not compile. */
const fields: Record<keyof RunSpec, { promise: string; check: Check }> = {
  workspaceId: { promise: "keeps workspaces apart", check: keepsApart },
  workspaceNumber: {
    promise: "is part of what a process was started from",
    check: (harness) => restartsOn(harness, { workspaceNumber: 90_001 }),
  },
  run: { promise: "false ends the process and keeps the storage", check: stopKeepsStorage },
  generation: { promise: "restarts a workspace when nothing else changed", check: (harness) => restartsOn(harness, { generation: 2 }) },
  command: { promise: "arrives whole, with folder, address and ports filled in", check: fillsCommand },
  env: { promise: "is the complete environment, and restarts the workspace when it changes", check: givesEnv },
  files: { promise: "are below the folder at each start, filled in", check: writesFiles },
  absent: { promise: "are gone when the process starts, file or folder, and what is beside them stays", check: removesFiles },
  ports: { promise: "are different, and the first is the address", check: givesPorts },
  memoryMb: { promise: "restarts the workspace when it changes", check: (harness) => restartsOn(harness, { memoryMb: 300 }) },
  stopTimeoutMs: { promise: "bounds how long a stop waits", check: killsTheStubborn },
};

/** Registers the whole suite for one driver. */
export function describeDriver(name: string, make: () => Promise<DriverHarness>): void {
  describe(`the ${name} driver`, { timeout: 30_000 }, () => {
    let harness: DriverHarness;
    beforeAll(async () => void (harness = await make()));
    afterAll(() => harness.close());

    for (const [field, { promise, check }] of Object.entries(fields)) test(`spec.${field} ${promise}`, () => check(harness));
    test("ensuring twice, even simultaneously, gives one process", () => ensuresOnce(harness));
    test("a workspace never ensured is absent, and its log is empty", () => knowsNothing(harness));
    test("a removed workspace leaves nothing, and removing it again is fine", () => removes(harness));
    test("a workspace that dies is seen as stopped, and watchers are told", () => seesDeath(harness, harness.driver));
    test("a new driver over the same host finds running workspaces and leaves them alone", () => adopts(harness));
    test("a new driver notices the death of a workspace it did not start", () => seesDeath(harness, harness.restarted()));
    test("a list of what runs names those that another driver started, and has them watched from then on", () => listsRunning(harness));
    describe("that hears when a workspace is ready", () => {
      beforeEach(({ skip }) => skip(harness.driver.readySignal === undefined, "this driver hears nothing"));
      test("hears it once it is said, however often, and at each start anew", () => hearsReady(harness));
      test("hears what was said before it listened, after a restart of the control plane too", () => hearsReadyLater(harness));
      test("has the workspace asked if it is given nothing to say it with", () => hearsNothing(harness));
      test("stops listening when told that the start is over", () => stopsListening(harness));
    });
    test("the log holds the newest output, within the requested size", () => keepsLogs(harness));
    test("storage is read while a workspace runs, and put back while it is stopped, in place of what is there", () =>
      copiesStorage(harness));
    test("a truncated archive changes nothing, and a running workspace is not touched", () => refusesBrokenArchives(harness));
    test("a spec that reaches outside its workspace is refused", () => refusesBadSpecs(harness));
    test("a running process becomes one of another spec without a restart, and its earlier output is gone", () => becomesAnother(harness));
    test("a driver that cannot freeze says why", () => saysWhyNot(harness));
    describe("frozen", () => {
      beforeEach(({ skip }) => skip(harness.driver.freeze === undefined, harness.driver.cannotFreeze));
      test("a workspace stays as it was, answers nobody, and continues after the thaw", () => freezes(harness));
      test("a request made to a frozen workspace is answered after the thaw", () => holdsRequests(harness));
      test("freezing and thawing do nothing to a workspace that does not run", () => leavesStopped(harness));
      test("what a frozen workspace holds is reported, in memory and paged out", () => reportsFrozen(harness));
      test("ensuring the same leaves a workspace frozen; a change or a stop thaws it for a clean end", () => stopsFrozen(harness));
      test("a frozen workspace that ignores the request to stop is killed in time", () => killsFrozenStubborn(harness));
      test("a frozen workspace is removed", () => removesFrozen(harness));
      test("the storage of a frozen workspace is read without waking it", () => readsFrozen(harness));
      test("a new driver over the same host sees that a workspace is frozen, and can thaw it", () => adoptsFrozen(harness));
      test("a workspace is paged out while it runs, works on, and can still be frozen", () => pagesOut(harness));
    });
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

async function keepsApart(harness: DriverHarness): Promise<void> {
  const [one, other] = [buildRunSpec(harness.command), buildRunSpec(harness.command)];
  const seen = await Promise.all([harness.driver.ensure(one), harness.driver.ensure(other)]);
  expect(seen[0].address).not.toBe(seen[1].address);
  await harness.store(one.workspaceId, "mine.txt", "one");
  expect(await harness.stored(other.workspaceId, "mine.txt")).toBeUndefined();
  await harness.driver.remove(other.workspaceId);
  expect(await harness.driver.observe(one.workspaceId)).toMatchObject({ state: "running" });
  await harness.driver.remove(one.workspaceId);
}

async function stopKeepsStorage(harness: DriverHarness): Promise<void> {
  const spec = buildRunSpec(harness.command);
  await harness.driver.ensure(spec);
  const first = await harness.report(spec.workspaceId);
  await harness.store(spec.workspaceId, "kept.txt", "kept");
  const stopped = await harness.driver.ensure({ ...spec, run: false });
  expect(stopped).toMatchObject({ state: "stopped", exit: { at: expect.any(Date) } });
  expect(stopped).not.toHaveProperty("address");
  expect(await harness.driver.ensure({ ...spec, run: false })).toMatchObject({ state: "stopped" });
  await harness.driver.ensure(spec);
  expect((await harness.report(spec.workspaceId)).instance).not.toBe(first.instance);
  expect(await harness.stored(spec.workspaceId, "kept.txt")).toBe("kept");
  await harness.driver.remove(spec.workspaceId);
}

async function restartsOn(harness: DriverHarness, change: Partial<RunSpec>): Promise<void> {
  const spec = buildRunSpec(harness.command);
  const before = await harness.driver.ensure(spec);
  expect(before).toMatchObject({ state: "running", specHash: hashRunSpec(spec), generation: spec.generation, startedAt: expect.any(Date) });
  const first = await harness.report(spec.workspaceId);
  const after = await harness.driver.ensure({ ...spec, ...change });
  expect(after).toMatchObject({
    state: "running",
    specHash: hashRunSpec({ ...spec, ...change }),
    generation: { ...spec, ...change }.generation,
  });
  expect((await harness.report(spec.workspaceId)).instance).not.toBe(first.instance);
  await harness.driver.remove(spec.workspaceId);
}

async function fillsCommand(harness: DriverHarness): Promise<void> {
  const odd = ["", "two words", "$HOME `id` \"'", "{{other}}", "ü"];
  const base = buildRunSpec(harness.command);
  const spec = { ...base, command: [...base.command, ...odd] };
  const { address } = await harness.driver.ensure(spec);
  const { args, folder } = await harness.report(spec.workspaceId);
  expect(args).toEqual([folder, ...address!.split(":"), expect.stringMatching(/^\d+$/), ...odd]);
  await harness.driver.remove(spec.workspaceId);
}

async function givesEnv(harness: DriverHarness): Promise<void> {
  const spec = buildRunSpec(harness.command);
  const { address } = await harness.driver.ensure(spec);
  const first = await harness.report(spec.workspaceId);
  expect(first.env).toEqual({ GREETING: "good morning", HOME: first.folder, PORT: address?.split(":")[1] });
  await harness.driver.ensure({ ...spec, env: { GREETING: "good night", PWD: "/" } });
  const second = await harness.report(spec.workspaceId);
  expect(second.env).toEqual({ GREETING: "good night", PWD: "/" });
  expect(second.instance).not.toBe(first.instance);
  await harness.driver.remove(spec.workspaceId);
}

async function writesFiles(harness: DriverHarness): Promise<void> {
  const spec = buildRunSpec(harness.command);
  await harness.driver.ensure(spec);
  const { folder } = await harness.report(spec.workspaceId);
  expect(await harness.stored(spec.workspaceId, "settings/first.json")).toBe(JSON.stringify({ at: folder }));
  await harness.store(spec.workspaceId, "settings/first.json", "spoilt");
  const files = [...spec.files, { path: "second.sh", content: "no {{template}}", mode: 0o700 }];
  await harness.driver.ensure({ ...spec, files });
  await harness.report(spec.workspaceId);
  expect(await harness.stored(spec.workspaceId, "settings/first.json")).toBe(JSON.stringify({ at: folder }));
  expect(await harness.stored(spec.workspaceId, "second.sh")).toBe("no {{template}}");
  await harness.driver.remove(spec.workspaceId);
}

async function removesFiles(harness: DriverHarness): Promise<void> {
  const spec = buildRunSpec(harness.command);
  await harness.driver.ensure(spec);
  await harness.report(spec.workspaceId);
  for (const file of ["left.txt", "settings/left.txt", "kept.txt"]) await harness.store(spec.workspaceId, file, "left");
  await harness.driver.ensure({ ...spec, absent: ["left.txt", "settings/left.txt", "never/there"] });
  await harness.report(spec.workspaceId);
  for (const file of ["left.txt", "settings/left.txt"]) await expect(harness.stored(spec.workspaceId, file)).resolves.toBeUndefined();
  expect(await harness.stored(spec.workspaceId, "kept.txt")).toBe("left");
  await harness.driver.remove(spec.workspaceId);
}

async function givesPorts(harness: DriverHarness): Promise<void> {
  const spec = buildRunSpec(harness.command);
  const { address } = await harness.driver.ensure(spec);
  const {
    args: [, listening, http, broker],
  } = await harness.report(spec.workspaceId);
  expect(address).toBe(`${listening}:${http}`);
  expect(Number(broker)).toBeGreaterThan(0);
  expect(broker).not.toBe(http);
  await harness.driver.remove(spec.workspaceId);
}

async function killsTheStubborn(harness: DriverHarness): Promise<void> {
  const spec = await harness.makeStubborn(buildRunSpec(harness.command, { stopTimeoutMs: 400 }));
  await harness.driver.ensure(spec);
  await harness.report(spec.workspaceId);
  const began = performance.now();
  expect(await harness.driver.ensure({ ...spec, run: false })).toMatchObject({ state: "stopped", exit: { signal: "SIGKILL" } });
  expect(performance.now() - began).toBeGreaterThanOrEqual(390);
  expect(performance.now() - began).toBeLessThan(5_000);
  await harness.driver.remove(spec.workspaceId);
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

const sayingSpec = ({ command }: DriverHarness): RunSpec => buildRunSpec(command, { env: { READY: "{{ready}}" } });
const isTold = ({ told }: ReadySignal): Promise<boolean> => Promise.race([told.then(() => true), sleep(300).then(() => false)]);

async function hearsReady(harness: DriverHarness): Promise<void> {
  const { driver } = harness;
  const spec = sayingSpec(harness);
  for (const generation of [1, 2]) {
    await driver.ensure({ ...spec, generation });
    await harness.report(spec.workspaceId);
    const signal = driver.readySignal!(spec.workspaceId);
    expect([signal.heard, await isTold(signal)]).toEqual([false, false]);
    expect(driver.readySignal!(spec.workspaceId)).toBe(signal);
    await harness.sayReady(spec.workspaceId, 100_000);
    await signal.told;
    expect(driver.readySignal!(spec.workspaceId)).toMatchObject({ heard: true });
    // It still runs and answers, although the rest is not read.
    await harness.report(spec.workspaceId);
  }
  await driver.remove(spec.workspaceId);
}

async function hearsReadyLater(harness: DriverHarness): Promise<void> {
  const spec = sayingSpec(harness);
  await harness.driver.ensure(spec);
  await harness.report(spec.workspaceId);
  await harness.sayReady(spec.workspaceId, 1);
  const signal = harness.restarted().readySignal!(spec.workspaceId);
  await signal.told;
  expect(signal.heard).toBe(true);
  await harness.driver.remove(spec.workspaceId);
}

async function hearsNothing(harness: DriverHarness): Promise<void> {
  const spec = buildRunSpec(harness.command);
  await harness.driver.ensure(spec);
  await harness.report(spec.workspaceId);
  for (const workspaceId of [spec.workspaceId, "never-seen"])
    await vi.waitFor(() => expect(harness.driver.readySignal!(workspaceId).heard).toBe(true));
  await harness.driver.remove(spec.workspaceId);
}

async function stopsListening(harness: DriverHarness): Promise<void> {
  const spec = sayingSpec(harness);
  await harness.driver.ensure(spec);
  await harness.report(spec.workspaceId);
  const signal = harness.driver.readySignal!(spec.workspaceId);
  harness.driver.endStart?.(spec.workspaceId);
  await harness.sayReady(spec.workspaceId, 1);
  expect(await isTold(signal)).toBe(false);
  await harness.driver.remove(spec.workspaceId);
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

/** Long enough for any answer of a workspace that runs. */
const silenceMs = 400;

async function launch(harness: DriverHarness, overrides: Partial<RunSpec> = {}): Promise<{ spec: RunSpec; seen: RunObservation }> {
  const spec = buildRunSpec(harness.command, overrides);
  const seen = await harness.driver.ensure(spec);
  await harness.report(spec.workspaceId);
  return { spec, seen };
}

async function saysWhyNot({ driver }: DriverHarness): Promise<void> {
  expect(typeof driver.freeze === "function").toBe(driver.cannotFreeze === undefined);
  if (driver.freeze) expect(driver.thaw).toBeTypeOf("function");
}

async function freezes(harness: DriverHarness): Promise<void> {
  const { driver } = harness;
  const { spec, seen } = await launch(harness);
  const { instance } = await harness.report(spec.workspaceId);
  const frozen = { ...seen, frozen: true };
  for (const _twice of [1, 2]) {
    // By several at a time, and again.
    const all = [driver, driver, harness.restarted()].map((each) => each.freeze!(spec.workspaceId));
    for (const observation of await Promise.all(all)) expect(observation).toEqual(frozen);
    expect(await driver.observe(spec.workspaceId)).toEqual(frozen);
  }
  await expect(fetch(`http://${seen.address}/report`, { signal: AbortSignal.timeout(silenceMs) })).rejects.toThrow(/timeout/);
  for (const _twice of [1, 2]) expect(await driver.thaw!(spec.workspaceId)).toEqual(seen);
  expect(await driver.observe(spec.workspaceId)).toEqual(seen);
  expect((await harness.report(spec.workspaceId)).instance).toBe(instance);
  // Freezing and thawing at the same time end in one of the two.
  await Promise.all([driver.freeze!(spec.workspaceId), harness.restarted().thaw!(spec.workspaceId)]);
  expect(await driver.thaw!(spec.workspaceId)).toEqual(seen);
  expect((await harness.report(spec.workspaceId)).instance).toBe(instance);
  await driver.remove(spec.workspaceId);
}

async function holdsRequests(harness: DriverHarness): Promise<void> {
  const { spec } = await launch(harness);
  await harness.driver.freeze!(spec.workspaceId);
  const answer = harness.report(spec.workspaceId);
  await expect(Promise.race([answer, sleep(silenceMs, "silence")])).resolves.toBe("silence");
  await harness.driver.thaw!(spec.workspaceId);
  expect(await answer).toHaveProperty("instance");
  await harness.driver.remove(spec.workspaceId);
}

async function leavesStopped(harness: DriverHarness): Promise<void> {
  const { driver } = harness;
  for (const act of [driver.freeze!, driver.thaw!]) expect(await act("never-seen")).toEqual({ state: "absent" });
  const spec = buildRunSpec(harness.command, { run: false });
  await driver.ensure(spec);
  for (const act of [driver.freeze!, driver.thaw!]) expect(await act(spec.workspaceId)).toEqual({ state: "stopped" });
  await driver.ensure({ ...spec, run: true });
  expect(await driver.thaw!(spec.workspaceId)).not.toHaveProperty("frozen");
  await harness.report(spec.workspaceId);
  await driver.remove(spec.workspaceId);
  for (const act of [driver.freeze!, driver.thaw!]) await expect(act("../elsewhere")).rejects.toThrow(DriverFailure);
}

async function reportsFrozen(harness: DriverHarness): Promise<void> {
  const { spec } = await launch(harness);
  const used = async () => (await harness.driver.usage!([spec.workspaceId])).get(spec.workspaceId)!;
  const awake = await used();
  expect(awake.swappedMb ?? 0).toBe(0);
  await harness.driver.freeze!(spec.workspaceId);
  const asleep = await used();
  expect(asleep.memoryMb).toBeLessThan(awake.memoryMb);
  expect(asleep.memoryMb).toBeLessThanOrEqual(10);
  expect(asleep.swappedMb).toBeGreaterThan(0);
  if (asleep.compressedMb !== undefined) expect(asleep.compressedMb).toBeLessThanOrEqual(asleep.swappedMb!);
  await harness.driver.remove(spec.workspaceId);
}

async function stopsFrozen(harness: DriverHarness): Promise<void> {
  const { driver } = harness;
  const { spec, seen } = await launch(harness);
  const { instance } = await harness.report(spec.workspaceId);
  await driver.freeze!(spec.workspaceId);
  expect(await driver.ensure(spec)).toEqual({ ...seen, frozen: true });
  const restarted = await driver.ensure({ ...spec, generation: 2 });
  expect(restarted).toMatchObject({ state: "running", generation: 2 });
  expect(restarted).not.toHaveProperty("frozen");
  expect((await harness.report(spec.workspaceId)).instance).not.toBe(instance);
  await driver.freeze!(spec.workspaceId);
  const stopped = await driver.ensure({ ...spec, generation: 2, run: false });
  expect(stopped).toMatchObject({ state: "stopped", exit: { at: expect.any(Date) } });
  expect(stopped.exit?.signal).not.toBe("SIGKILL");
  await driver.remove(spec.workspaceId);
}

async function killsFrozenStubborn(harness: DriverHarness): Promise<void> {
  const spec = await harness.makeStubborn(buildRunSpec(harness.command, { stopTimeoutMs: 400 }));
  await harness.driver.ensure(spec);
  await harness.report(spec.workspaceId);
  await harness.driver.freeze!(spec.workspaceId);
  const began = performance.now();
  expect(await harness.driver.ensure({ ...spec, run: false })).toMatchObject({ state: "stopped", exit: { signal: "SIGKILL" } });
  expect(performance.now() - began).toBeLessThan(5_000);
  await harness.driver.remove(spec.workspaceId);
}

async function removesFrozen(harness: DriverHarness): Promise<void> {
  const { spec } = await launch(harness);
  await harness.driver.freeze!(spec.workspaceId);
  const began = performance.now();
  await harness.driver.remove(spec.workspaceId);
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(await harness.driver.observe(spec.workspaceId)).toEqual({ state: "absent" });
  // The same place, used again, is not frozen.
  expect(await harness.driver.ensure(spec)).not.toHaveProperty("frozen");
  await harness.report(spec.workspaceId);
  await harness.driver.remove(spec.workspaceId);
}

async function readsFrozen(harness: DriverHarness): Promise<void> {
  const { driver } = harness;
  const { spec } = await launch(harness);
  await harness.store(spec.workspaceId, "things/one.txt", "one");
  await driver.freeze!(spec.workspaceId);
  const archive = await buffer(await driver.readStorage(spec, ["things"]));
  expect(archive.includes("one")).toBe(true);
  expect(await driver.logs(spec.workspaceId, 10_000)).toContain("started");
  expect(await driver.observe(spec.workspaceId)).toMatchObject({ frozen: true });
  await driver.remove(spec.workspaceId);
}

async function pagesOut(harness: DriverHarness): Promise<void> {
  const { driver } = harness;
  const spec = buildRunSpec(harness.command);
  await driver.pageOut!("never-seen");
  const seen = await driver.ensure(spec);
  const { instance } = await harness.report(spec.workspaceId);
  const usage = async () => (await driver.usage!([spec.workspaceId])).get(spec.workspaceId)!;
  const before = await usage();
  for (const _twice of [1, 2]) await driver.pageOut!(spec.workspaceId);
  const after = await usage();
  expect(after.memoryMb).toBeLessThan(before.memoryMb);
  expect(after.swappedMb).toBeGreaterThan(0);
  expect(await driver.observe(spec.workspaceId)).toEqual(seen);
  expect((await harness.report(spec.workspaceId)).instance).toBe(instance);
  expect(await driver.freeze!(spec.workspaceId)).toMatchObject({ frozen: true });
  await driver.pageOut!(spec.workspaceId);
  expect(await driver.observe(spec.workspaceId)).toMatchObject({ frozen: true });
  await driver.ensure({ ...spec, run: false });
  await driver.pageOut!(spec.workspaceId);
  await driver.remove(spec.workspaceId);
}

async function adoptsFrozen(harness: DriverHarness): Promise<void> {
  const { spec, seen } = await launch(harness);
  const { instance } = await harness.report(spec.workspaceId);
  await harness.driver.freeze!(spec.workspaceId);
  const next = harness.restarted();
  expect(await next.observe(spec.workspaceId)).toEqual({ ...seen, frozen: true });
  expect(await next.ensure(spec)).toEqual({ ...seen, frozen: true });
  expect(await next.thaw!(spec.workspaceId)).toEqual(seen);
  expect((await harness.report(spec.workspaceId)).instance).toBe(instance);
  await next.remove(spec.workspaceId);
}
