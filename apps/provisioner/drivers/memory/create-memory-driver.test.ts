import { expect, test } from "vitest";
import { after, type Clock } from "#platform/clock.ts";
import { buildRunSpec, type DriverHarness } from "#testing/drivers/driver-harness.ts";
import { describeDriver } from "#testing/drivers/driver-suite.ts";
import { createMemoryDriver } from "./create-memory-driver.ts";
import { MemoryWorld } from "./memory-world.ts";

function movableClock(): Clock & { move(ms: number): void } {
  let now = new Date("2026-01-01T00:00:00Z");
  return { now: () => now, move: (ms) => void (now = after(now, ms)) };
}

async function makeHarness(): Promise<DriverHarness> {
  const clock = movableClock();
  const world = new MemoryWorld(clock);
  const create = () => createMemoryDriver({ world, clock, listen: true, saysReady: false });
  return {
    driver: create(),
    restarted: create,
    command: ["/engine", "serve"],
    report: async (workspaceId) => {
      const run = world.get(workspaceId).run;
      if (run === undefined) throw new Error("it does not run");
      const answer = (await (await fetch(`http://${run.address}/any/path`)).json()) as { instance: number; specHash: string };
      expect(answer.specHash).toBe(run.specHash);
      return { instance: String(answer.instance), args: run.filled.command.slice(2), env: run.filled.env, folder: run.folder };
    },
    store: async (workspaceId, path, content) => void world.get(workspaceId).storage.set(path, content),
    stored: async (workspaceId, path) => world.get(workspaceId).storage.get(path),
    crash: async (workspaceId) => world.crash(workspaceId),
    sayReady: async (workspaceId) => world.sayReady(workspaceId),
    makeStubborn: async (spec) => {
      await createMemoryDriver({ world, clock }).ensure({ ...spec, run: false });
      world.get(spec.workspaceId).stubborn = true;
      return spec;
    },
    close: async () => world.close(),
  };
}

describeDriver("memory", makeHarness);

test("a simulated workspace answers when its start-up delay has passed, not before", async () => {
  const clock = movableClock();
  const world = new MemoryWorld(clock);
  const driver = createMemoryDriver({ world, clock, startDelayMs: 1_000, startJitterMs: 200, seed: 7, listen: true });
  const spec = buildRunSpec(["/engine"]);
  const { address } = await driver.ensure(spec);
  clock.move(799);
  expect((await fetch(`http://${address}/`)).status).toBe(503);
  clock.move(401);
  expect((await fetch(`http://${address}/`)).status).toBe(200);
  world.close();
});

async function delays(seed: number): Promise<number[]> {
  const clock = movableClock();
  const world = new MemoryWorld(clock);
  const driver = createMemoryDriver({ world, clock, startDelayMs: 5_000, startJitterMs: 5_000, seed });
  for (let number = 1; number <= 5; number += 1) await driver.ensure(buildRunSpec(["/engine"], { workspaceNumber: number }));
  return [...world.workspaces.values()].map(({ run }) => (run?.readyAt.getTime() ?? 0) - clock.now().getTime());
}

test("the same seed gives the same delays", async () => {
  expect(await delays(3)).toEqual(await delays(3));
  expect(await delays(3)).not.toEqual(await delays(4));
  expect(new Set(await delays(3)).size).toBe(5);
});

test("an unresponsive workspace runs and accepts connections, but never answers", async () => {
  const clock = movableClock();
  const world = new MemoryWorld(clock);
  const driver = createMemoryDriver({ world, clock, listen: true });
  const spec = buildRunSpec(["/engine"]);
  const { address } = await driver.ensure(spec);
  world.unresponsive(spec.workspaceId, true);
  await expect(fetch(`http://${address}/`, { signal: AbortSignal.timeout(200) })).rejects.toThrow(/timeout/);
  expect(await driver.observe(spec.workspaceId)).toMatchObject({ state: "running" });
  expect(world.answers(spec.workspaceId)).toBe(false);
  world.unresponsive(spec.workspaceId, false);
  expect((await fetch(`http://${address}/`)).status).toBe(200);
  world.close();
});

test("without its own port, a simulated workspace's address leads nowhere", async () => {
  const clock = movableClock();
  const world = new MemoryWorld(clock);
  const { address } = await createMemoryDriver({ world, clock }).ensure(buildRunSpec(["/engine"]));
  expect(address).toMatch(/^memory\.invalid:\d+$/);
});

test("a simulated workspace's output is bounded", async () => {
  const clock = movableClock();
  const world = new MemoryWorld(clock);
  const driver = createMemoryDriver({ world, clock });
  const spec = buildRunSpec(["/engine"]);
  await driver.ensure(spec);
  for (let line = 0; line < 1_000; line += 1) world.write(spec.workspaceId, `${line} ${"ü".repeat(100)}\n`);
  const text = await driver.logs(spec.workspaceId, 1_000_000);
  expect(text.length).toBeLessThan(20_000);
  expect(text).toContain("\n999 ");
});
