/** Installs the engines that tests share, each once on a machine. */
import { generateKeyPairSync } from "node:crypto";
import type { Engine } from "#apps/provisioner/engines/engine.ts";
import { engineList } from "#apps/provisioner/engines/engine-list.ts";
import { systemClock } from "#platform/clock.ts";
import { enginesCacheDir } from "./engines-cache.ts";

/** Percent between two lines of progress: an installation takes minutes, and no output looks like a hang. */
const progressStep = 20;

/** Installs the newest release of every engine. If another process is installing one, waits for it. */
export async function prepareEngines(signal?: AbortSignal): Promise<void> {
  const { privateKey: signingKey } = generateKeyPairSync("ed25519");
  const options = { enginesDir: enginesCacheDir, nodeBinary: process.execPath, signingKey, clock: systemClock, secureCookies: false };
  for (const createEngine of Object.values(engineList)) await prepare(createEngine(options), signal);
}

async function prepare(engine: Engine, signal: AbortSignal | undefined): Promise<void> {
  const newest = engine.releases[0];
  if (!newest) throw new Error(`No release of ${engine.displayName} is qualified: npm run qualify makes one.`);
  if (await engine.isInstalled(newest.version)) return engine.prepare?.(newest.version, signal);
  let next = 0;
  const tell = (percent: number) => {
    if (percent < next) return;
    next = percent + progressStep;
    process.stdout.write(`Installing ${engine.displayName} ${newest.version} for the tests: ${percent} %\n`);
  };
  await engine.install(newest.version, tell, signal);
  // 15 s, once per machine; saves five seconds at every start in the tests.
  await engine.prepare?.(newest.version, signal);
}
