/** Records in a release's folder what changed since the release before it, for the page where owners choose a version. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { installRelease, releaseFolder } from "#apps/provisioner/engines/install/install-release.ts";
import {
  compareVersions,
  readReleases,
  type QualifiedRelease,
  type ReleaseFile,
} from "#apps/provisioner/engines/releases/read-releases.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import { compareNodes } from "./compare-nodes.ts";
import type { EngineKit } from "./engine-kits.ts";
import { releasesFolder } from "./qualify-release.ts";
import { replaceReleaseFile } from "./write-release.ts";

interface RecordOptions {
  kit: EngineKit;
  /** Of a qualified release. */
  version: string;
  npmCli: string;
  say: (line: string) => void;
}

/**
 * Of a release between two others, also what the next one changed since this one. Does nothing for the oldest release. Installs the releases
 * that it compares where tests keep theirs, if they are missing.
 */
export async function recordChanges(options: RecordOptions): Promise<void> {
  const { kit, version } = options;
  const releases = readReleases(kit.engine, releasesFolder(kit));
  const at = releases.findIndex((each) => each.version === version);
  if (at < 0) throw new Error(`${kit.engine} ${version} is not qualified`);
  await recordOne(options, releases, version);
  const next = releases[at - 1];
  if (next && next.changes?.since !== version) await recordOne(options, releases, next.version);
}

async function recordOne({ kit, npmCli, say }: RecordOptions, releases: readonly QualifiedRelease[], version: string): Promise<void> {
  const release = releases.find((each) => each.version === version)!;
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
  await replaceReleaseFile(releasesFolder(kit), { ...facts, changes, qualified });
  say(`${path} names what changed since ${before.version}`);
}
