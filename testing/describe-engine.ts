/** Holds an engine to its suites, against real processes. The installed engine is kept between runs; the first run installs it. */
import type { KeyObject } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Engine } from "#apps/provisioner/engines/engine.ts";
import type { EngineScene } from "#apps/provisioner/engines/engine-suite.ts";
import { withVariables } from "#domain/workspaces/workspace-variables.ts";
import { suiteVariables } from "#apps/provisioner/engines/engine-suite.ts";
import { runBare, type BareRun } from "#apps/provisioner/engines/run-bare.ts";
import { openDoor, type Door } from "./open-door.ts";

/** Promises that are kept in this order on one workspace, which has no owner yet. */
export type EngineTestSuite = readonly { promise: string; keep(scene: EngineScene): Promise<void> }[];

const installTimeoutMs = 15 * 60_000;
const promiseTimeoutMs = 120_000;

/** One process for each suite, of the newest release. */
export function describeEngine(engine: Engine, signingKey: KeyObject, suites: Readonly<Record<string, EngineTestSuite>>): void {
  const version = engine.releases[0]!.version;
  describe.each(Object.entries(suites))(`a real ${engine.displayName}, by %s`, (_name, suite) => {
    const secrets = withVariables(engine.createSecrets(), suiteVariables);
    const spec = engine.runSpec(
      {
        id: "0199a000-0000-7000-8000-000000000001",
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
    let folder: string;
    let run: BareRun;
    let door: Door;

    beforeAll(async () => {
      await engine.install(version, () => undefined);
      folder = await mkdtemp(join(tmpdir(), `slipway-${engine.name}-`));
      run = await runBare(engine, spec, folder);
      door = await openDoor(spec.workspaceId, () => run.address);
    }, installTimeoutMs);

    afterAll(async () => {
      await door?.[Symbol.asyncDispose]();
      await run?.stop();
      if (folder) await rm(folder, { recursive: true, force: true });
    }, promiseTimeoutMs);

    const scene: EngineScene = {
      engine,
      signingKey,
      version,
      secrets,
      workspaceId: spec.workspaceId,
      address: () => run.address,
      door: () => door.url,
      logs: () => run.logs(),
      restart: async ({ kill } = { kill: false }) => {
        if (kill) process.kill(run.pid, "SIGKILL");
        await run.stop();
        run = await runBare(engine, spec, folder);
      },
    };

    test.each(suite)(
      "$promise",
      async ({ keep }) => {
        await expect(keep(scene)).resolves.toBeUndefined();
      },
      promiseTimeoutMs,
    );
  });
}
