/** The requirements for every driver that freezes workspaces. */
// oxlint-disable vitest/expect-expect -- the expectations stand in the functions below, one for each promise.
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import type { RunObservation, RunSpec } from "#apps/provisioner/drivers/driver.ts";
import { DriverFailure } from "#apps/provisioner/drivers/driver.ts";
import { buildRunSpec, type DriverHarness } from "./driver-harness.ts";

/** Registers them, below the suite of that driver. */
export function describeFreezing(harness: () => DriverHarness): void {
  describe("frozen", () => {
    beforeEach(({ skip }) => skip(harness().driver.freeze === undefined, harness().driver.cannotFreeze));
    test("a workspace stays as it was, answers no request, and continues after the thaw", () => freezes(harness()));
    test("a request made to a frozen workspace is answered after the thaw", () => holdsRequests(harness()));
    test("freezing and thawing do nothing to a workspace that does not run", () => leavesStopped(harness()));
    test("a frozen workspace's memory is reported, resident and paged out", () => reportsFrozen(harness()));
    test("ensuring the same leaves a workspace frozen; a change or a stop thaws it for a clean end", () => stopsFrozen(harness()));
    test("a frozen workspace that ignores the request to stop is killed in time", () => killsFrozenStubborn(harness()));
    test("a frozen workspace is removed", () => removesFrozen(harness()));
    test("the storage of a frozen workspace is read without waking it", () => readsFrozen(harness()));
    test("a new driver over the same host sees that a workspace is frozen, and can thaw it", () => adoptsFrozen(harness()));
    test("a workspace is paged out while it runs, keeps working, and can still be frozen", () => pagesOut(harness()));
  });
}

/** Long enough for any answer of a running workspace. */
const silenceMs = 400;

async function launch(harness: DriverHarness, overrides: Partial<RunSpec> = {}): Promise<{ spec: RunSpec; seen: RunObservation }> {
  const spec = buildRunSpec(harness, overrides);
  const seen = await harness.driver.ensure(spec);
  await harness.report(spec.workspaceId);
  return { spec, seen };
}

/** Either it freezes and thaws, or it says why not. */
export async function saysWhyNot({ driver }: DriverHarness): Promise<void> {
  expect(typeof driver.freeze === "function").toBe(driver.cannotFreeze === undefined);
  if (driver.freeze) expect(driver.thaw).toBeTypeOf("function");
}

async function freezes(harness: DriverHarness): Promise<void> {
  const { driver } = harness;
  const { spec, seen } = await launch(harness);
  const { instance } = await harness.report(spec.workspaceId);
  const frozen = { ...seen, frozen: true };
  for (const _twice of [1, 2]) {
    // By several callers simultaneously, and repeatedly.
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
  const spec = buildRunSpec(harness, { run: false });
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
  const spec = await harness.makeStubborn(buildRunSpec(harness, { stopTimeoutMs: 400 }));
  await harness.driver.ensure(spec);
  await harness.report(spec.workspaceId);
  await harness.driver.freeze!(spec.workspaceId);
  const began = performance.now();
  expect(await harness.driver.ensure({ ...spec, run: false })).toMatchObject({ state: "stopped", exit: { signal: "SIGKILL" } });
  // Unless killed, it does not end.
  expect(performance.now() - began).toBeLessThan(60_000);
  await harness.driver.remove(spec.workspaceId);
}

async function removesFrozen(harness: DriverHarness): Promise<void> {
  const { spec } = await launch(harness, { stopTimeoutMs: 180_000 });
  await harness.driver.freeze!(spec.workspaceId);
  const began = performance.now();
  await harness.driver.remove(spec.workspaceId);
  // No graceful stop is waited for.
  expect(performance.now() - began).toBeLessThan(60_000);
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
  const spec = buildRunSpec(harness);
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
