/**
 * Missing peer dependencies. npm is told not to check them (its search would take an hour), so a node whose
 * package needs one would fail only when a customer uses it. An engineer decides which to add, with --with.
 */
interface LockEntry {
  optional?: boolean;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

interface UnmetPeer {
  dependant: string;
  name: string;
  range: string;
}

/** Every required peer that cannot be resolved from its dependant's place in the tree. */
export function findUnmetPeers(packages: Readonly<Record<string, LockEntry>>): UnmetPeer[] {
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.entries(entry.peerDependencies ?? {})
      .filter(([name]) => entry.peerDependenciesMeta?.[name]?.optional !== true && !resolves(packages, path, name))
      .map(([name, range]) => ({ dependant: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length), name, range })),
  );
}

function resolves(packages: Readonly<Record<string, LockEntry>>, from: string, name: string): boolean {
  for (let place = from; place !== ""; place = place.slice(0, Math.max(0, place.lastIndexOf("/node_modules/")))) {
    if (`${place}/node_modules/${name}` in packages) return true;
  }
  return `node_modules/${name}` in packages;
}
