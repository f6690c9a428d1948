/** Installs the engines that tests share, each once on a machine. */
import { generateKeyPairSync } from "node:crypto";
import { type EngineName } from "#contract/workspaces/engine-names.ts";
import type { Engine } from "#apps/provisioner/engines/engine.ts";
import { engineList } from "#apps/provisioner/engines/engine-list.ts";
import { usualRelease } from "#apps/provisioner/engines/releases/read-releases.ts";
import { systemClock } from "#platform/clock.ts";
import { enginesCacheDir } from "./engines-cache.ts";

/** Percent between two lines of progress: an installation takes minutes, and no output looks like a hang. */
const progressStep = 20;

const { privateKey: signingKey } = generateKeyPairSync("ed25519");
const options = { enginesDir: enginesCacheDir, nodeBinary: process.execPath, signingKey, clock: systemClock, secureCookies: false };

/** Installs the newest release of every engine, and the one that new workspaces begin with. If another process is installing one, waits for it. */
export async function prepareEngines(signal?: AbortSignal): Promise<void> {
  for (const createEngine of Object.values(engineList)) {
    const engine = createEngine(options);
    const [newest] = engine.releases;
    if (!newest) throw new Error(`No release of ${engine.displayName} is qualified: npm run qualify makes one.`);
    for (const { version } of new Set([newest, usualRelease(engine.releases)])) await prepare(engine, version, signal);
  }
}

/** Installs all qualified releases of an engine, and resolves with their versions, the newest first. */
export async function installReleases(name: EngineName, signal?: AbortSignal): Promise<string[]> {
  const engine = engineList[name](options);
  for (const { version } of engine.releases) await prepare(engine, version, signal);
  return engine.releases.map(({ version }) => version);
}

async function prepare(engine: Engine, version: string, signal: AbortSignal | undefined): Promise<void> {
  if (await engine.isInstalled(version)) return engine.prepare?.(version, signal);
  let next = 0;
  const tell = (percent: number) => {
    if (percent < next) return;
    next = percent + progressStep;
    process.stdout.write(`Installing ${engine.displayName} ${version} for the tests: ${percent} %\n`);
  };
  await engine.install(version, tell, signal);
  // 15 s, once per machine; saves five seconds at every start in the tests.
  await engine.prepare?.(version, signal);
}
