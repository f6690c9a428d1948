/** The engine against real n8n processes. The installed engine is kept between runs; the first run installs it. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { enginesCacheDir } from "#testing/engines-cache.ts";
import { createN8nEngine } from "./create-n8n-engine.ts";
import type { HookScene } from "./hook-scene.ts";
import { hookSuite } from "./hook-suite.ts";
import { runBare, type BareRun } from "./run-bare.ts";

const installTimeoutMs = 15 * 60_000;
const promiseTimeoutMs = 120_000;

describe("a real n8n", () => {
  const signingKey = generateKeyPairSync("ed25519").privateKey;
  const engine = createN8nEngine({
    enginesDir: enginesCacheDir, nodeBinary: process.execPath, signingKey, clock: systemClock, secureCookies: false,
  });
  const version = engine.releases[0]!.version;
  const secrets = engine.createSecrets();
  const spec = engine.runSpec(
    {
      id: "0199a000-0000-7000-8000-000000000001", number: 1, generation: 1, run: true, timezone: "Europe/Berlin", memoryMb: 1024,
      publicUrl: "http://acme.localhost:3000", panelUrl: "http://localhost:3000", secrets,
    },
    version,
  );
  let folder: string;
  let run: BareRun;

  beforeAll(async () => {
    await engine.install(version, () => undefined);
    folder = await mkdtemp(join(tmpdir(), "slipway-n8n-"));
    run = await runBare(engine, spec, folder);
  }, installTimeoutMs);

  afterAll(async () => {
    await run?.stop();
    await rm(folder, { recursive: true, force: true });
  }, promiseTimeoutMs);

  const scene: HookScene = {
    engine, signingKey, version, secrets, workspaceId: spec.workspaceId,
    address: () => run.address,
    logs: () => run.logs(),
    restart: async ({ kill } = { kill: false }) => {
      if (kill) process.kill(run.pid, "SIGKILL");
      await run.stop();
      run = await runBare(engine, spec, folder);
    },
  };

  test.each(hookSuite)("$promise", async ({ keep }) => {
    await expect(keep(scene)).resolves.toBeUndefined();
  }, promiseTimeoutMs);
});
