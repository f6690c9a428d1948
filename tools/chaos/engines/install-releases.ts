/** Installs releases in advance: an update needs two, and the time of an install must not count. */
import { generateKeyPairSync } from "node:crypto";
import { createN8nEngine } from "#apps/provisioner/engines/n8n/create-n8n-engine.ts";
import { createNodeRedEngine } from "#apps/provisioner/engines/node-red/create-node-red-engine.ts";
import { systemClock } from "#platform/clock.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import type { ChaosEngine } from "./engine-hands.ts";

/** Installs every missing qualified release, shared by tests and tools. */
export async function installReleases(name: ChaosEngine): Promise<void> {
  const { privateKey: signingKey } = generateKeyPairSync("ed25519");
  const common = { enginesDir: enginesCacheDir, nodeBinary: process.execPath, signingKey, clock: systemClock };
  const engine = name === "n8n" ? createN8nEngine({ ...common, secureCookies: false }) : createNodeRedEngine(common);
  for (const { version } of engine.releases) if (!(await engine.isInstalled(version))) await engine.install(version, () => undefined);
}
