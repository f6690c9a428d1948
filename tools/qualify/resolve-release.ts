/** Makes the package.json and the lock file of a release, with substitutes for packages that the registry lacks. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runNpm } from "#apps/provisioner/engines/install/run-npm.ts";

export interface ReleaseManifest {
  name: string;
  version: string;
  private: true;
  dependencies: Record<string, string>;
  overrides: Record<string, string>;
  allowScripts: Record<string, boolean>;
}

export interface ResolveOptions {
  folder: string;
  manifest: ReleaseManifest;
  nodeBinary: string;
  npmCli: string;
  say: (line: string) => void;
}

/** A release installs some 2,000 packages; one that needs more exceptions than this should be checked by an engineer. */
const maxOverrides = 20;

/**
 * Writes package.json and package-lock.json into `folder`; a package whose required version is missing gets the newest one of the same
 * major. Throws if that does not help.
 */
export async function resolveRelease(options: ResolveOptions): Promise<void> {
  const { folder, manifest, say } = options;
  await mkdir(folder, { recursive: true });
  for (let round = 0; round <= maxOverrides; round++) {
    await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    say(`resolving with overrides ${JSON.stringify(manifest.overrides)}`);
    const args = [
      "install",
      "--package-lock-only",
      "--legacy-peer-deps",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      "--omit-lockfile-registry-resolved",
    ];
    const { code, output } = await runNpm({ ...options, cwd: folder, args });
    if (code === 0) return dropAddresses(join(folder, "package-lock.json"));
    if (!(await addOverride(options, output))) throw new Error(`npm could not resolve this release:\n${output.slice(-2000)}`);
  }
  throw new Error(`more than ${maxOverrides} packages of this release are missing`);
}

/** Finds the missing package in npm's output and overrides it in the manifest. False: npm failed for another reason. */
export async function addOverride(options: ResolveOptions, output: string): Promise<boolean> {
  const missing = readMissing(output);
  if (missing === undefined) return false;
  // An override of the release itself would be another release.
  if (options.manifest.dependencies[missing.name] === missing.wanted)
    throw new Error(`${missing.name}@${missing.wanted} is not in this registry.`);
  const version = await findSubstitute(options, missing);
  if (version === undefined || options.manifest.overrides[missing.name] === version) {
    throw new Error(
      `${missing.name}@${missing.wanted} is not in this registry, nor is another of its major. Give an older version of the package that asks for it: --override name@version`,
    );
  }
  options.say(`${missing.name}@${missing.wanted} is missing: taking ${version}`);
  options.manifest.overrides[missing.name] = version;
  return true;
}

interface MissingPackage {
  name: string;
  wanted: string;
}

/** The package that npm reports as missing, in one version or altogether. */
export function readMissing(output: string): MissingPackage | undefined {
  const target = /No matching version found for ((?:@[\w.-]+\/)?[\w.-]+)@(\S+?)\.?(?:\s|$)/.exec(output);
  const tarball = /requested resource '((?:@[\w.-]+\/)?[\w.-]+)@https?:[^']*-(\d+\.\d+\.\d+[^']*)\.tgz'/.exec(output);
  const whole = /requested resource '((?:@[\w.-]+\/)?[\w.-]+)@([^']+)'/.exec(output);
  const [, name, wanted] = target ?? tarball ?? whole ?? [];
  return name === undefined || wanted === undefined ? undefined : { name, wanted };
}

async function findSubstitute(options: ResolveOptions, missing: MissingPackage): Promise<string | undefined> {
  const { code, output } = await runNpm({
    ...options,
    cwd: options.folder,
    args: ["view", missing.name, "versions", "--json", "--prefer-online", "--loglevel=silent"],
  });
  if (code !== 0) return undefined;
  const versions = [JSON.parse(output) as string | string[]].flat();
  return chooseSubstitute(versions, missing.wanted, options.manifest.overrides[missing.name]);
}

/** The newest stable version of the required major, older than one that already failed. `versions` is sorted by version number. */
export function chooseSubstitute(versions: readonly string[], wanted: string, failed?: string): string | undefined {
  const major = /\d+/.exec(wanted)?.[0];
  const stable = versions.filter((version) => /^\d+\.\d+\.\d+$/.test(version) && version.split(".")[0] === major && version !== wanted);
  const usable = failed !== undefined && stable.includes(failed) ? stable.slice(0, stable.indexOf(failed)) : stable;
  return usable.at(-1);
}

/** URLs would tie the lock to the registry it was made with; npm finds each package by name, version and integrity. */
async function dropAddresses(path: string): Promise<void> {
  const lock = JSON.parse(await readFile(path, "utf8")) as {
    packages: Record<string, { resolved?: string; integrity?: string; inBundle?: boolean }>;
  };
  for (const [name, entry] of Object.entries(lock.packages)) {
    delete entry.resolved;
    // A bundled package is covered by the integrity of the one that contains it.
    if (name !== "" && entry.integrity === undefined && entry.inBundle !== true)
      throw new Error(`${name} has no integrity in the lock file`);
  }
  await writeFile(path, `${JSON.stringify(lock, null, 2)}\n`);
}
