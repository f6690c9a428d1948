/** The requirements for every driver that hears when a workspace is ready. */
// oxlint-disable vitest/expect-expect -- the expectations stand in the functions below, one for each promise.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { ReadySignal, RunSpec } from "#apps/provisioner/drivers/driver.ts";
import { buildRunSpec, type DriverHarness } from "./driver-harness.ts";

/** Registers them, below the suite of that driver. */
export function describeReadySignals(harness: () => DriverHarness): void {
  describe("that hears when a workspace is ready", () => {
    beforeEach(({ skip }) => skip(harness().driver.readySignal === undefined, "this driver hears nothing"));
    test("hears it once it is reported, however often, and again at each start", () => hearsReady(harness()));
    test("hears a report from before it listened, even after a restart of the control plane", () => hearsReadyLater(harness()));
    test("makes the workspace be checked if it has no way to report", () => hearsNothing(harness()));
    test("stops listening when told that the start is over", () => stopsListening(harness()));
  });
}

const sayingSpec = (harness: DriverHarness): RunSpec => buildRunSpec(harness, { env: { READY: "{{ready}}" } });
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
  const spec = buildRunSpec(harness);
  await harness.driver.ensure(spec);
  await harness.report(spec.workspaceId);
  for (const workspaceId of [spec.workspaceId, "never-seen"])
    await vi.waitFor(() => expect(harness.driver.readySignal!(workspaceId).heard).toBe(true), 20_000);
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
