/** Reads a release's package-lock.json and compares an installed tree with it. */
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";

export interface LockedPackage {
  /** Folder below the tree, as in the lock file: node_modules/x. */
  path: string;
  version: string;
  integrity: string | undefined;
  /** May be absent: for another system, or a build that is not needed. */
  isOptional: boolean;
}

interface LockFile {
  packages: Record<string, { version?: string; integrity?: string; optional?: boolean; devOptional?: boolean; link?: boolean }>;
}

/** Every package in a lock file, without the root. */
export function readLock(path: string): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(path, "utf8")) as LockFile;
  return Object.entries(packages)
    .filter(([name, entry]) => name !== "" && entry.link !== true)
    .map(([name, entry]) => ({
      path: name,
      version: entry.version ?? "",
      integrity: entry.integrity,
      isOptional: entry.optional === true || entry.devOptional === true,
    }));
}

/** The packages without a package.json so far. Yields to other work between slices of about a millisecond. */
export async function findMissing(folder: string, packages: readonly LockedPackage[]): Promise<LockedPackage[]> {
  const missing: LockedPackage[] = [];
  for (let start = 0; start < packages.length; start += 200) {
    missing.push(...packages.slice(start, start + 200).filter((entry) => !existsSync(join(folder, entry.path, "package.json"))));
    await breathe();
  }
  return missing;
}

/**
 * Every difference between a tree and its lock: missing packages, other versions, other bytes (as npm verified them on arrival), and extra
 * packages. Empty if the tree is exactly what was qualified.
 */
export async function findDifferences(folder: string, packages: readonly LockedPackage[]): Promise<string[]> {
  const arrived = await readArrived(folder);
  const differences: string[] = [];
  for (const entry of packages) {
    const difference = await compareOne(folder, entry, arrived);
    if (difference !== undefined) differences.push(`${entry.path}: ${difference}`);
  }
  const expected = new Set(packages.map((entry) => entry.path));
  differences.push(...[...arrived.keys()].filter((path) => !expected.has(path)).map((path) => `${path}: not in the lock file`));
  return differences;
}

async function compareOne(folder: string, entry: LockedPackage, arrived: Map<string, string | undefined>): Promise<string | undefined> {
  const text = await readFile(join(folder, entry.path, "package.json"), "utf8").catch(() => undefined);
  if (text === undefined) return entry.isOptional ? undefined : "missing";
  const { version } = JSON.parse(text) as { version?: string };
  if (version !== entry.version) return `${version ?? "no version"} instead of ${entry.version}`;
  if (arrived.get(entry.path) !== entry.integrity) return "other contents than qualified";
  return undefined;
}

/** Integrity of each package as npm recorded it after checking the bytes. */
async function readArrived(folder: string): Promise<Map<string, string | undefined>> {
  const { packages } = JSON.parse(await readFile(join(folder, "node_modules", ".package-lock.json"), "utf8")) as LockFile;
  return new Map(Object.entries(packages).map(([path, entry]) => [path, entry.integrity]));
}
