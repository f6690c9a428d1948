/** Installs releases in advance: an update needs two, and the time of an install must not count. */
import { generateKeyPairSync } from "node:crypto";
import { engineList } from "#apps/provisioner/engines/engine-list.ts";
import { systemClock } from "#platform/clock.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import type { ChaosEngine } from "./engine-hands.ts";

/** Installs every missing qualified release, shared by tests and tools; the stand-in comes with each program. */
export async function installReleases(name: ChaosEngine): Promise<void> {
  if (name === "stand-in") return;
  const { privateKey: signingKey } = generateKeyPairSync("ed25519");
  const engine = engineList[name]({
    enginesDir: enginesCacheDir,
    nodeBinary: process.execPath,
    signingKey,
    clock: systemClock,
    secureCookies: false,
  });
  for (const { version } of engine.releases) {
    if (!(await engine.isInstalled(version))) await engine.install(version, () => undefined);
    await engine.prepare?.(version);
  }
}
