/** Turns a version of n8n into a release this repository offers: resolved, installed, booted, held to its promises, written down. */
import { copyFile, mkdir, readFile, rename, rm, writeFile, mkdtemp } from "node:fs/promises";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { EngineInstallFailure } from "#apps/provisioner/engines/engine.ts";
import { installRelease, releaseFolder } from "#apps/provisioner/engines/install-release.ts";
import { removeTree } from "#apps/provisioner/engines/install/seal-tree.ts";
import { readLock } from "#apps/provisioner/engines/install/lock-file.ts";
import { runNpm } from "#apps/provisioner/engines/install/run-npm.ts";
import { n8nNativePackages } from "#apps/provisioner/engines/n8n/n8n-native-packages.ts";
import { readReleases, type QualifiedRelease, type ReleaseFile } from "#apps/provisioner/engines/read-releases.ts";
import { enginesCacheDir } from "#testing/engines-cache.ts";
import { findUnmetPeers } from "./find-unmet-peers.ts";
import { addOverride, resolveRelease, type ReleaseManifest, type ResolveOptions } from "./resolve-release.ts";
import { runSuite } from "./run-suite.ts";

export interface QualifyOptions {
  version: string;
  /** Exact versions that replace what packages ask for. */
  overrides: Record<string, string>;
  /** Packages added because one of n8n's counts on them without saying so. */
  additions: Record<string, string>;
  /** `stable` for a version whose minor has a successor. */
  channel: "stable" | "newest";
  npmCli: string;
  say: (line: string) => void;
}

const releasesFolder = join(import.meta.dirname, "../../apps/provisioner/engines/n8n/releases");

/** Qualifies a version and writes its release folder; nothing is written unless every step succeeds. */
export async function qualifyN8n(options: QualifyOptions): Promise<void> {
  const { version, say } = options;
  // Beside the cache, so that the tree can be moved there when it has proved itself.
  const enginesDir = join(dirname(enginesCacheDir), "qualify");
  const folder = await mkdtemp(join(tmpdir(), "slipway-qualify-"));
  const release: QualifiedRelease = { engine: "n8n", version, folder, releasedAt: "", packages: 0, diskMb: 3000 };
  try {
    await removeTree(releaseFolder(enginesDir, release));
    await copyKnownLock(version, folder);
    const installSeconds = await resolveAndInstall(options, release, enginesDir);
    await reportPeers(folder, say);
    const suite = await runSuite(release, enginesDir, say);
    const releaseFile: ReleaseFile = {
      engine: "n8n",
      version,
      releasedAt: await readReleaseDate(options, folder),
      packages: readLock(join(folder, "package-lock.json")).filter((entry) => !entry.isOptional).length,
      channel: options.channel,
      migrations: await countMigrations(releaseFolder(enginesDir, release)),
      notes: `https://github.com/n8n-io/n8n/releases/tag/n8n%40${version}`,
      diskMb: await measureDiskMb(releaseFolder(enginesDir, release)),
      qualified: { node: process.versions.node, installSeconds, ...suite },
    };
    await writeRelease(folder, releaseFile);
    await offerToCache(enginesDir, release, say);
    say(`${join(releasesFolder, version)} is written`);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await removeTree(releaseFolder(enginesDir, release));
  }
}

async function resolveAndInstall(options: QualifyOptions, release: QualifiedRelease, enginesDir: string): Promise<number> {
  const { say, npmCli } = options;
  const resolveOptions: ResolveOptions = { folder: release.folder, manifest: await makeManifest(options), nodeBinary: process.execPath, npmCli, say };
  for (;;) {
    await resolveRelease(resolveOptions);
    say("installing");
    const startedAtMs = performance.now();
    try {
      const onProgress = (percent: number) => percent % 25 === 0 && say(`installed ${percent} %`);
      await installRelease({ enginesDir, release, nodeBinary: process.execPath, npmCli, nativePackages: n8nNativePackages, onProgress });
      return Math.round((performance.now() - startedAtMs) / 1000);
    } catch (error) {
      // A version that is listed may still lack its file: known only when it is fetched.
      const output = error instanceof EngineInstallFailure && typeof error.cause === "string" ? error.cause : "";
      if (!(await addOverride(resolveOptions, output))) throw error;
    }
  }
}

/** What the newest qualified release needed, this one probably needs too. */
async function makeManifest(options: QualifyOptions): Promise<ReleaseManifest> {
  const releases = readReleases("n8n", releasesFolder);
  const model = releases.find((release) => release.version === options.version) ?? releases[0];
  const known = model === undefined ? undefined : (JSON.parse(await readFile(join(model.folder, "package.json"), "utf8")) as ReleaseManifest);
  return {
    name: "slipway-engine-n8n",
    version: options.version,
    private: true,
    dependencies: { ...known?.dependencies, ...options.additions, n8n: options.version },
    overrides: { ...known?.overrides, ...options.overrides },
    allowScripts: Object.fromEntries(n8nNativePackages.map((entry) => [entry.name, true])),
  };
}

/** Qualifying again changes no package that need not change. */
async function copyKnownLock(version: string, folder: string): Promise<void> {
  const known = join(releasesFolder, version, "package-lock.json");
  if (existsSync(known)) await copyFile(known, join(folder, "package-lock.json"));
}

async function reportPeers(folder: string, say: (line: string) => void): Promise<void> {
  const lock = JSON.parse(await readFile(join(folder, "package-lock.json"), "utf8")) as { packages: Parameters<typeof findUnmetPeers>[0] };
  for (const { dependant, name, range } of findUnmetPeers(lock.packages)) {
    say(`note: ${dependant} counts on ${name}@${range}, which nothing brings; if a node needs it, add --with ${name}@version`);
  }
}

async function readReleaseDate(options: QualifyOptions, folder: string): Promise<string> {
  const { output } = await runNpm({ nodeBinary: process.execPath, npmCli: options.npmCli, cwd: folder, args: ["view", "n8n", "time", "--json", "--loglevel=silent"] });
  const date = new Map(Array.from(output.matchAll(/"([^"]+)":\s*"([^"]+)"/g), ([, version, at]) => [version, at])).get(options.version);
  if (date === undefined) throw new Error(`the registry does not say when n8n ${options.version} was released`);
  return new Date(date).toISOString();
}

/** The list that n8n runs through at its start, for the database that workspaces have. */
async function countMigrations(folder: string): Promise<number> {
  const list = await readFile(join(folder, "node_modules/@n8n/db/dist/migrations/sqlite/index.js"), "utf8");
  const names = /sqliteMigrations = \[([\s\S]*?)\];/.exec(list)?.[1];
  if (names === undefined) throw new Error("n8n keeps its list of migrations elsewhere in this version");
  return names.split(",").filter((name) => name.trim()).length;
}

async function measureDiskMb(folder: string): Promise<number> {
  const { stdout } = await promisify(execFile)("du", ["-sm", folder]);
  return Number(stdout.split(/\s/)[0]);
}

async function writeRelease(folder: string, releaseFile: ReleaseFile): Promise<void> {
  const target = join(releasesFolder, releaseFile.version);
  await mkdir(target, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) await copyFile(join(folder, file), join(target, file));
  await writeFile(join(target, "release.json"), `${JSON.stringify(releaseFile, null, 2)}\n`);
}

/** Tests need this tree next. */
async function offerToCache(enginesDir: string, release: QualifiedRelease, say: (line: string) => void): Promise<void> {
  const place = releaseFolder(enginesCacheDir, release);
  if (existsSync(place)) return;
  await mkdir(enginesCacheDir, { recursive: true });
  await rename(releaseFolder(enginesDir, release), place);
  say(`${place} is ready for tests`);
}
