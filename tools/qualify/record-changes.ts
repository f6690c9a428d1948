/** Records in a release's folder what changed since the release before it, for the page where owners choose a version. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installRelease, releaseFolder } from "#apps/provisioner/engines/install/install-release.ts";
import { compareVersions, readReleases, type ReleaseFile } from "#apps/provisioner/engines/releases/read-releases.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import { compareNodes } from "./compare-nodes.ts";
import type { EngineKit } from "./engine-kits.ts";

interface RecordOptions {
  kit: EngineKit;
  /** Of a qualified release. */
  version: string;
  npmCli: string;
  say: (line: string) => void;
}

/** Does nothing for the oldest release. Installs both releases where tests keep theirs, if they are missing. */
export async function recordChanges({ kit, version, npmCli, say }: RecordOptions): Promise<void> {
  const releases = readReleases(kit.engine, join(import.meta.dirname, "../../apps/provisioner/engines", kit.engine, "releases"));
  const release = releases.find((each) => each.version === version);
  if (!release) throw new Error(`${kit.engine} ${version} is not qualified`);
  const before = releases.find((each) => compareVersions(each.version, version) < 0);
  if (!before) return say(`${version} is the oldest release: there is nothing to compare it with`);
  const [older, newer] = await Promise.all(
    [before, release].map(async (each) => {
      const install = { enginesDir: enginesCacheDir, release: each, nodeBinary: process.execPath, npmCli, onProgress: () => undefined };
      await installRelease({ ...install, nativePackages: kit.nativePackages });
      return kit.listNodes(releaseFolder(enginesCacheDir, each));
    }),
  );
  const changes = { since: before.version, ...compareNodes(older!, newer!) };
  const path = join(release.folder, "release.json");
  const { qualified, ...facts } = JSON.parse(await readFile(path, "utf8")) as ReleaseFile;
  await writeFile(path, `${JSON.stringify({ ...facts, changes, qualified }, null, 2)}\n`);
  say(`${path} names what changed since ${before.version}`);
}
