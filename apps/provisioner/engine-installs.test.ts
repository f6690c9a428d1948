import { expect, test, vi } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import { createEngineInstalls } from "./engine-installs.ts";
import type { Engine } from "./engines/engine.ts";

const log = createLog("silent");

async function installsOf(engine: Partial<Engine>) {
  const fleet = await createTestFleet();
  const installs = createEngineInstalls({
    db: fleet.database.db,
    engine: { name: "n8n", releases: [], ...engine } as unknown as Engine,
    clock: systemClock,
    log,
  });
  return { installs, [Symbol.asyncDispose]: () => fleet[Symbol.asyncDispose]() };
}

test("a new release is prepared as part of its installation; one that cannot be prepared is installed anyway", async () => {
  const calls: string[] = [];
  let isInstalled = false;
  await using scene = await installsOf({
    isInstalled: async () => isInstalled,
    install: async () => {
      calls.push("install");
      isInstalled = true;
    },
    prepare: async () => {
      calls.push("prepare");
      throw new Error("no");
    },
  });
  await vi.waitFor(async () => expect(await scene.installs.request("1.0.0")).toEqual({ state: "installed" }), 20_000);
  await scene.installs.request("1.0.0");
  expect(calls).toEqual(["install", "prepare"]);
  await scene.installs.stop();
});

test("a release that is installed but not prepared is prepared in the background, and a stop aborts that", async () => {
  let isAborted = false;
  await using scene = await installsOf({
    isInstalled: async () => true,
    prepare: (_version, signal) =>
      new Promise((_resolve, reject) =>
        signal!.addEventListener("abort", () => {
          isAborted = true;
          reject(new Error("aborted"));
        }),
      ),
  });
  expect(await scene.installs.request("1.0.0")).toEqual({ state: "installed" });
  await scene.installs.stop();
  expect(isAborted).toBe(true);
});
