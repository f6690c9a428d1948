/** A restore onto a workspace's own disk that has no room for both copies. */
// oxlint-disable vitest/no-conditional-expect -- what can be promised depends on whether this host can keep tenants apart.
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import { makeProcessHarness, type ProcessHarness } from "#testing/drivers/process-harness.ts";
import { usualNetworkPolicy } from "./network/firewall.ts";
import type { RunSpec } from "../../driver.ts";

const mebibyte = 1024 * 1024;

let harness: ProcessHarness;
beforeAll(async () => void (harness = await makeProcessHarness({ limits: { cpus: 0.5, diskMb: 256, network: usualNetworkPolicy } })));
afterAll(() => harness.close());

const run = (spec: RunSpec, script: string) =>
  harness.act(spec.workspaceId, "run", { script }) as Promise<{ output: string; code: number | null }>;
const fileOf = async (paths: readonly string[], spec: RunSpec) =>
  Readable.from(await buffer(await harness.driver.readStorage(spec, paths)), { objectMode: false });
const freeMb = async (spec: RunSpec) => Number((await run(spec, "df -Pm . | tail -1 | awk '{print $4}'")).output);

test("a disk that is more than half full is restored unchanged, and the room lent for that is free afterwards", async () => {
  const { driver } = harness;
  if (!driver.isolation.isolated) return expect(driver.isolation.reason).toMatch(/\w+ \w+/);
  const spec = buildRunSpec(harness.command);
  await driver.ensure(spec);
  await run(spec, "mkdir things && dd if=/dev/urandom of=things/large bs=1M count=140");
  const sum = async () => (await run(spec, "md5sum things/large")).output;
  const [before, free] = [await sum(), await freeMb(spec)];
  await driver.ensure({ ...spec, run: false });
  const archive = await fileOf(["things"], spec);
  expect(await driver.hasRoomToReplace!(spec, 140 * mebibyte)).toBe(true);
  expect(await driver.hasRoomToReplace!(spec, 400 * mebibyte)).toBe(false);
  await driver.replaceStorage(spec, ["things"], archive, 140 * mebibyte);
  await driver.ensure({ ...spec, generation: spec.generation + 1 });
  expect(await sum()).toBe(before);
  expect(Math.abs((await freeMb(spec)) - free)).toBeLessThan(15);
  // A second time, with the spare room that exists by now; the tenant cannot use it.
  await run(spec, "dd if=/dev/zero of=more bs=1M count=400");
  expect(await freeMb(spec)).toBeLessThan(3);
  expect(Number((await run(spec, "stat -c %s more")).output)).toBeLessThan((free + 15) * mebibyte);
  await driver.ensure({ ...spec, run: false });
  await driver.replaceStorage(spec, ["things"], await fileOf(["things"], spec));
  await driver.ensure({ ...spec, generation: spec.generation + 2 });
  expect(await sum()).toBe(before);
  expect((await run(spec, "dd if=/dev/zero of=again bs=1M count=4")).code).not.toBe(0);
  await driver.remove(spec.workspaceId);
});
