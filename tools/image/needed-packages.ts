/**
 * Determines which of the installed packages the running program needs. The panel's packages are built into its pages, so they are left
 * out.
 */

interface LockedPackage {
  name?: string;
  version?: string;
  integrity?: string;
  license?: string;
  dependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
  peerDependencies?: Readonly<Record<string, string>>;
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>;
}

/** The `packages` of a package-lock.json: by path, such as `node_modules/a/node_modules/b`; the clone itself is at "". */
export type Lock = Readonly<Record<string, LockedPackage>>;

/** Those of these packages that the sources name: `"pg"`, or a module of it, `"pg/lib/types"`. */
export const namedIn = (sources: readonly string[], packages: readonly string[]): string[] =>
  packages.filter((name) => sources.some((text) => text.includes(`"${name}"`) || text.includes(`"${name}/`)));

/** The paths of these packages and of everything that they need, if they exist: packages for other systems are not installed. */
export function findNeeded(lock: Lock, names: readonly string[], exists: (path: string) => boolean): string[] {
  const needed = new Set<string>();
  const add = (name: string, from: string): void => {
    const path = resolvePackage(lock, name, from);
    if (path === undefined || needed.has(path) || !exists(path)) return;
    needed.add(path);
    const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = lock[path]!;
    const peers = Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta?.[peer]?.optional !== true);
    for (const each of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) add(each, path);
  };
  for (const name of names) add(name, "");
  return [...needed].toSorted();
}

/** As Node resolves it: below the importing package, then further up. */
function resolvePackage(lock: Lock, name: string, from: string): string | undefined {
  const parents = from.split(/(?=\/node_modules\/)/);
  const folders = from === "" ? [] : parents.map((_part, index) => `${parents.slice(0, parents.length - index).join("")}/`);
  return [...folders, ""].map((folder) => `${folder}node_modules/${name}`).find((path) => path in lock);
}
