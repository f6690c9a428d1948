/** What a driver does with each field of a spec. */
// oxlint-disable vitest/expect-expect -- the expectations stand in the functions below, one for each promise.
import { expect } from "vitest";
import { readAddress } from "#platform/lines/open-line.ts";
import type { RunSpec } from "#apps/provisioner/drivers/driver.ts";
import { hashRunSpec } from "#apps/provisioner/drivers/hash-run-spec.ts";
import { buildRunSpec, type DriverHarness } from "./driver-harness.ts";

type Check = (harness: DriverHarness) => Promise<void>;

/** One check for each field: a new field of RunSpec without a check here does not compile. */
export const specFields: Record<keyof RunSpec, { promise: string; check: Check }> = {
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
  image: {
    promise: "restarts the workspace when it changes",
    check: (harness) => restartsOn(harness, { image: harness.otherImage ?? "other:1" }),
  },
};

async function keepsApart(harness: DriverHarness): Promise<void> {
  const [one, other] = [buildRunSpec(harness), buildRunSpec(harness)];
  const seen = await Promise.all([harness.driver.ensure(one), harness.driver.ensure(other)]);
  expect(seen[0].address).not.toBe(seen[1].address);
  await harness.store(one.workspaceId, "mine.txt", "one");
  expect(await harness.stored(other.workspaceId, "mine.txt")).toBeUndefined();
  await harness.driver.remove(other.workspaceId);
  expect(await harness.driver.observe(one.workspaceId)).toMatchObject({ state: "running" });
  await harness.driver.remove(one.workspaceId);
}

async function stopKeepsStorage(harness: DriverHarness): Promise<void> {
  const spec = buildRunSpec(harness);
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
  const spec = buildRunSpec(harness);
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
  const base = buildRunSpec(harness);
  const spec = { ...base, command: [...base.command, ...odd] };
  const { address } = await harness.driver.ensure(spec);
  const { args, folder } = await harness.report(spec.workspaceId);
  const { host, port } = readAddress(address!);
  expect(args).toEqual([folder, host, String(port), expect.stringMatching(/^\d+$/), ...odd]);
  await harness.driver.remove(spec.workspaceId);
}

async function givesEnv(harness: DriverHarness): Promise<void> {
  const spec = buildRunSpec(harness);
  const { address } = await harness.driver.ensure(spec);
  const first = await harness.report(spec.workspaceId);
  expect(first.env).toEqual({ GREETING: "good morning", HOME: first.folder, PORT: String(readAddress(address!).port) });
  await harness.driver.ensure({ ...spec, env: { GREETING: "good night", PWD: "/" } });
  const second = await harness.report(spec.workspaceId);
  expect(second.env).toEqual({ GREETING: "good night", PWD: "/" });
  expect(second.instance).not.toBe(first.instance);
  await harness.driver.remove(spec.workspaceId);
}

async function writesFiles(harness: DriverHarness): Promise<void> {
  const spec = buildRunSpec(harness);
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
  const spec = buildRunSpec(harness);
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
  const spec = buildRunSpec(harness);
  const { address } = await harness.driver.ensure(spec);
  const {
    args: [, listening, http, broker],
  } = await harness.report(spec.workspaceId);
  expect(readAddress(address!)).toMatchObject({ host: listening, port: Number(http) });
  expect(Number(broker)).toBeGreaterThan(0);
  expect(broker).not.toBe(http);
  await harness.driver.remove(spec.workspaceId);
}

async function killsTheStubborn(harness: DriverHarness): Promise<void> {
  const stopTimeoutMs = 400;
  const spec = await harness.makeStubborn(buildRunSpec(harness, { stopTimeoutMs }));
  await harness.driver.ensure(spec);
  await harness.report(spec.workspaceId);
  const began = performance.now();
  const { state, exit } = await harness.driver.ensure({ ...spec, run: false });
  expect(state).toBe("stopped");
  expect(harness.mayLoseSignal ? ["SIGKILL", null] : ["SIGKILL"]).toContain(exit?.signal);
  expect(performance.now() - began).toBeGreaterThanOrEqual(390);
  expect(performance.now() - began).toBeLessThan(stopTimeoutMs + (harness.endsWithinMs ?? 60_000));
  await harness.driver.remove(spec.workspaceId);
}
