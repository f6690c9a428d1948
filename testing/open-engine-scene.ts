/**
 * A workspace of an installed release, run as a plain process behind its own gateway: the setting of the engines' suites, in tests and in
 * `npm run qualify`.
 */
import type { KeyObject } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "#apps/provisioner/engines/engine.ts";
import { suiteVariables, type EngineScene } from "#testing/engines/engine-suite.ts";
import { runBare } from "#testing/engines/run-bare.ts";
import { withVariables } from "#domain/workspaces/settings/workspace-variables.ts";
import { startTestGateway } from "./network/start-test-gateway.ts";

export interface OpenScene extends AsyncDisposable {
  scene: EngineScene;
  /** The engine's process. */
  pid(): number;
  /** Milliseconds of the first start, in an empty folder. */
  readyMs: number;
}

/**
 * Starts an installed release, with the variables and the number of kept executions that the suites check. Disposing of it stops and
 * deletes it.
 */
export async function openEngineScene(engine: Engine, signingKey: KeyObject, version: string): Promise<OpenScene> {
  const workspaceId = "0199a000-0000-7000-8000-000000000001";
  const secrets = withVariables(engine.createSecrets(), suiteVariables);
  const spec = engine.runSpec(
    {
      id: workspaceId,
      number: 1,
      generation: 1,
      run: true,
      timezone: "Europe/Berlin",
      memoryMb: 1024,
      executions: { keep: 1000, maxAgeHours: 168 },
      publicUrl: "http://acme.localhost:3000",
      panelUrl: "http://localhost:3000",
      secrets,
    },
    version,
  );
  const folder = await mkdtemp(join(tmpdir(), `slipway-${engine.name}-`));
  let run = await runBare(engine, spec, folder);
  const door = await openDoor(workspaceId, () => run.address);
  const scene: EngineScene = {
    engine,
    signingKey,
    version,
    command: spec.command,
    secrets,
    workspaceId,
    address: () => run.address,
    door: () => door.url,
    logs: () => run.logs(),
    said: () => run.said,
    restart: async ({ kill } = { kill: false }) => {
      if (kill) process.kill(run.pid, "SIGKILL");
      await run.stop();
      run = await runBare(engine, spec, folder);
    },
  };
  return {
    scene,
    pid: () => run.pid,
    readyMs: run.readyMs,
    [Symbol.asyncDispose]: async () => {
      await door[Symbol.asyncDispose]();
      await run.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Door extends AsyncDisposable {
  /** The URL for visitors, without a trailing slash. The name resolves in browsers, and in `visit` of the engines' suites. */
  url: string;
}

/** `address` is called for each visit, since a restarted process has a new one. */
async function openDoor(workspaceId: string, address: () => string): Promise<Door> {
  const gateway = await startTestGateway({
    lookUp: async (name) => (name === "acme" ? { workspaceId, state: "online", address: address(), open: true } : null),
    panelUrl: "http://localhost:3000",
  });
  return { url: `http://acme.localhost:${gateway.port}`, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
}
