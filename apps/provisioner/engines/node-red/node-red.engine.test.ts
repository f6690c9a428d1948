/** The engine against real Node-RED processes. The installed engine is kept between runs; the first run installs it. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { enginesCacheDir } from "#testing/engines-cache.ts";
import { engineSuite, type EngineScene } from "../engine-suite.ts";
import { runBare, type BareRun } from "../n8n/run-bare.ts";
import { createNodeRedEngine } from "./create-node-red-engine.ts";
import { nodeRedHands } from "./node-red-hands.ts";

const installTimeoutMs = 10 * 60_000;
const promiseTimeoutMs = 120_000;

describe("a real Node-RED", () => {
  const signingKey = generateKeyPairSync("ed25519").privateKey;
  const engine = createNodeRedEngine({ enginesDir: enginesCacheDir, nodeBinary: process.execPath, signingKey, clock: systemClock });
  const version = engine.releases[0]!.version;
  const secrets = engine.createSecrets();
  const spec = engine.runSpec(
    {
      id: "0199a000-0000-7000-8000-000000000003", number: 3, generation: 1, run: true, timezone: "Europe/Berlin", memoryMb: 512,
      publicUrl: "http://acme.localhost:3000", panelUrl: "http://localhost:3000", secrets,
    },
    version,
  );
  let folder: string;
  let run: BareRun;

  beforeAll(async () => {
    await engine.install(version, () => undefined);
    folder = await mkdtemp(join(tmpdir(), "slipway-node-red-"));
    run = await runBare(engine, spec, folder);
  }, installTimeoutMs);

  afterAll(async () => {
    await run?.stop();
    await rm(folder, { recursive: true, force: true });
  }, promiseTimeoutMs);

  const scene: EngineScene = {
    engine, signingKey, version, secrets, workspaceId: spec.workspaceId,
    address: () => run.address,
    logs: () => run.logs(),
    restart: async () => {
      await run.stop();
      run = await runBare(engine, spec, folder);
    },
  };

  test.each(engineSuite)("$promise", async ({ keep }) => {
    await expect(keep(scene, nodeRedHands)).resolves.toBeUndefined();
  }, promiseTimeoutMs);
});
