/** Runs an engine's suites against real processes. The installed engine is kept between runs; the first run installs it. */
import type { KeyObject } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Engine } from "#apps/provisioner/engines/engine.ts";
import type { EngineScene } from "./engine-suite.ts";
import { openEngineScene, type OpenScene } from "../open-engine-scene.ts";

/** Checks that run in this order on one workspace, which has no owner at first. */
type EngineTestSuite = readonly { promise: string; keep(scene: EngineScene): Promise<void> }[];

const installTimeoutMs = 15 * 60_000;
const promiseTimeoutMs = 5 * 60_000;

/** One process for each suite, of the newest release, or of the one in `ENGINE_RELEASE`. */
export function describeEngine(engine: Engine, signingKey: KeyObject, suites: Readonly<Record<string, EngineTestSuite>>): void {
  const wanted = process.env["ENGINE_RELEASE"];
  const version = (engine.releases.find((release) => release.version === wanted) ?? engine.releases[0]!).version;
  describe.each(Object.entries(suites))(`a real ${engine.displayName}, by %s`, (_name, suite) => {
    let open: OpenScene;

    beforeAll(async () => {
      await engine.install(version, () => undefined);
      await engine.prepare?.(version);
      open = await openEngineScene(engine, signingKey, version);
    }, installTimeoutMs);

    afterAll(() => open?.[Symbol.asyncDispose](), promiseTimeoutMs);

    test.each(suite)(
      "$promise",
      async ({ keep }) => {
        await expect(keep(open.scene)).resolves.toBeUndefined();
      },
      promiseTimeoutMs,
    );
  });
}
