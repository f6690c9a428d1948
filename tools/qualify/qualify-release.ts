/** Turns a version of an engine into a release that this repository offers: resolved, installed, booted, tested, and recorded. */
import { copyFile, mkdir, readFile, rename, rm, mkdtemp } from "node:fs/promises";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { EngineInstallFailure } from "#apps/provisioner/engines/engine.ts";
import { installRelease, releaseFolder } from "#apps/provisioner/engines/install/install-release.ts";
import { preparedFolder } from "#apps/provisioner/engines/install/prepared-release.ts";
import { removeTree } from "#apps/provisioner/engines/install/seal-tree.ts";
import { readLock } from "#apps/provisioner/engines/install/lock-file.ts";
import { runNpm } from "#apps/provisioner/engines/install/run-npm.ts";
import { readReleases, type QualifiedRelease, type ReleaseFile } from "#apps/provisioner/engines/releases/read-releases.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import { findUnmetPeers } from "./find-unmet-peers.ts";
import { addOverride, resolveRelease, type ReleaseManifest, type ResolveOptions } from "./resolve-release.ts";
import type { EngineKit } from "./engine-kits.ts";
import { runSuite } from "./run-suite.ts";
import { writeRelease } from "./write-release.ts";

interface QualifyOptions {
  kit: EngineKit;
  version: string;
  /** Exact versions that replace those that packages require. */
  overrides: Record<string, string>;
  /** Packages added because one of the engine's packages needs them without declaring it. */
  additions: Record<string, string>;
  /** `stable` for a version whose minor has a successor. */
  channel: "stable" | "newest";
  npmCli: string;
  say: (line: string) => void;
}

export const releasesFolder = ({ engine }: Pick<EngineKit, "engine">): string =>
  join(import.meta.dirname, "../../apps/provisioner/engines", engine, "releases");

/** Qualifies a version and writes its release folder; nothing is written unless every step succeeds. */
export async function qualifyRelease(options: QualifyOptions): Promise<void> {
  const { kit, version, say } = options;
  // Beside the cache, so that the tree can be moved there when it has passed.
  const enginesDir = join(dirname(enginesCacheDir), "qualify");
  const folder = await mkdtemp(join(tmpdir(), "slipway-qualify-"));
  const release: QualifiedRelease = {
    engine: kit.engine,
    version,
    folder,
    releasedAt: "",
    packages: 0,
    channel: options.channel,
    diskMb: 3000,
  };
  try {
    await removeTree(releaseFolder(enginesDir, release));
    await copyKnownLock(kit, version, folder);
    const installSeconds = await resolveAndInstall(options, release, enginesDir);
    await reportPeers(folder, say);
    const suite = await runSuite(kit, release, enginesDir, say);
    const releaseFile: ReleaseFile = {
      engine: kit.engine,
      version,
      releasedAt: await readReleaseDate(options, folder),
      packages: readLock(join(folder, "package-lock.json")).filter((entry) => !entry.isOptional).length,
      channel: options.channel,
      migrations: await kit.countMigrations(releaseFolder(enginesDir, release)),
      notes: kit.notes(version),
      diskMb: await measureDiskMb(releaseFolder(enginesDir, release)),
      qualified: { node: process.versions.node, installSeconds, ...suite },
    };
    await writeRelease(folder, releasesFolder(kit), releaseFile);
    await offerToCache(enginesDir, release, say);
    say(`${join(releasesFolder(kit), version)} is written`);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await removeTree(releaseFolder(enginesDir, release));
    await removeTree(preparedFolder(enginesDir, release));
  }
}

async function resolveAndInstall(options: QualifyOptions, release: QualifiedRelease, enginesDir: string): Promise<number> {
  const { say, npmCli } = options;
  const resolveOptions: ResolveOptions = {
    folder: release.folder,
    manifest: await makeManifest(options),
    nodeBinary: process.execPath,
    npmCli,
    say,
  };
  for (;;) {
    await resolveRelease(resolveOptions);
    say("installing");
    const startedAtMs = performance.now();
    try {
      const onProgress = (percent: number) => percent % 25 === 0 && say(`installed ${percent} %`);
      await installRelease({
        enginesDir,
        release,
        nodeBinary: process.execPath,
        npmCli,
        nativePackages: options.kit.nativePackages,
        onProgress,
      });
      return Math.round((performance.now() - startedAtMs) / 1000);
    } catch (error) {
      // A listed version may still lack its file: known only when it is fetched.
      const output = error instanceof EngineInstallFailure && typeof error.cause === "string" ? error.cause : "";
      if (!(await addOverride(resolveOptions, output))) throw error;
    }
  }
}

/** Starts from the newest qualified release, since this one probably needs the same. */
async function makeManifest(options: QualifyOptions): Promise<ReleaseManifest> {
  const { kit } = options;
  const releases = readReleases(kit.engine, releasesFolder(kit));
  const model = releases.find((release) => release.version === options.version) ?? releases[0];
  const known =
    model === undefined ? undefined : (JSON.parse(await readFile(join(model.folder, "package.json"), "utf8")) as ReleaseManifest);
  return {
    name: `slipway-engine-${kit.engine}`,
    version: options.version,
    private: true,
    dependencies: { ...known?.dependencies, ...options.additions, [kit.engine]: options.version },
    overrides: { ...known?.overrides, ...options.overrides },
    allowScripts: Object.fromEntries(kit.nativePackages.map((entry) => [entry.name, true])),
  };
}

/** Qualifying again changes no package unnecessarily. */
async function copyKnownLock(kit: EngineKit, version: string, folder: string): Promise<void> {
  const known = join(releasesFolder(kit), version, "package-lock.json");
  if (existsSync(known)) await copyFile(known, join(folder, "package-lock.json"));
}

async function reportPeers(folder: string, say: (line: string) => void): Promise<void> {
  const lock = JSON.parse(await readFile(join(folder, "package-lock.json"), "utf8")) as { packages: Parameters<typeof findUnmetPeers>[0] };
  for (const { dependant, name, range } of findUnmetPeers(lock.packages)) {
    say(`note: ${dependant} needs ${name}@${range}, which nothing provides; if a node needs it, add --with ${name}@version`);
  }
}

async function readReleaseDate(options: QualifyOptions, folder: string): Promise<string> {
  const { output } = await runNpm({
    nodeBinary: process.execPath,
    npmCli: options.npmCli,
    cwd: folder,
    args: ["view", options.kit.engine, "time", "--json", "--loglevel=silent"],
  });
  const date = new Map(Array.from(output.matchAll(/"([^"]+)":\s*"([^"]+)"/g), ([, version, at]) => [version, at])).get(options.version);
  if (date === undefined) throw new Error(`the registry does not say when ${options.kit.engine} ${options.version} was released`);
  return new Date(date).toISOString();
}

async function measureDiskMb(folder: string): Promise<number> {
  const { stdout } = await promisify(execFile)("du", ["-sm", folder]);
  return Number(stdout.split(/\s/)[0]);
}

/** Tests will need this tree next. */
async function offerToCache(enginesDir: string, release: QualifiedRelease, say: (line: string) => void): Promise<void> {
  const place = releaseFolder(enginesCacheDir, release);
  if (existsSync(place)) return;
  await mkdir(enginesCacheDir, { recursive: true });
  await rename(releaseFolder(enginesDir, release), place);
  say(`${place} is ready for tests`);
}
