/** Removes preparations (prepared-release.ts) for starts that no workspace will make any more, about 90 MB each. */
import { chmod, readdir, rename, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { holdInstallLock } from "./hold-install-lock.ts";
import { preparedFormat } from "./prepared-release.ts";
import { removeTree } from "./seal-tree.ts";

/** A release that a workspace has or will get. */
interface ReleaseUse {
  engine: string;
  version: string;
  /** The oldest start among its running workspaces; null if none runs. They may still read what was prepared before it. */
  runsSince: Date | null;
}

/** The prefix of the names of preparations that this Node uses. */
const ownRuntime = `${process.version}-${process.arch}-`;

/**
 * Removes preparations of releases that are not in `uses`, and those of another Node or an earlier format once all running workspaces were
 * started with the present one. Only for a folder whose users are all in `uses`. A workspace whose preparation is gone starts as usual,
 * only slower.
 * @returns the paths of what was removed.
 */
export async function removePreparations(enginesDir: string, uses: readonly ReleaseUse[], signal?: AbortSignal): Promise<string[]> {
  const root = join(enginesDir, "prepared");
  const removed: string[] = [];
  for (const format of await list(root))
    for (const release of await list(join(root, format))) {
      const use = uses.find(({ engine, version }) => `${engine}-${version}` === release);
      const present = use && (await presentSince(join(root, preparedFormat, release)));
      const isOver = (runtime: string): boolean => {
        if (!use || runtime.startsWith(".arriving-")) return true;
        if (format === preparedFormat && runtime.startsWith(ownRuntime)) return false;
        return present !== undefined && (use.runsSince === null || use.runsSince > present);
      };
      const folder = join(root, format, release);
      const over = (await list(folder)).filter(isOver);
      if (over.length === 0) continue;
      // Nothing is removed of a rehearsal in progress: it holds the lock until it has moved its result.
      const free = await holdInstallLock(join(enginesDir, `.lock-prepared-${release}`), () => undefined, signal);
      try {
        for (const name of over) if (await removePlace(folder, name)) removed.push(join(folder, name));
        await rmdir(folder).catch(() => undefined);
      } finally {
        free();
      }
    }
  return removed;
}

/**
 * Renamed first: a partial preparation must never be taken for a complete one. Leftovers of a killed removal are removed like those of a
 * killed rehearsal.
 */
async function removePlace(folder: string, name: string): Promise<boolean> {
  const leaving = name.startsWith(".arriving-") ? name : `.arriving-removed-${name}`;
  try {
    await chmod(join(folder, name), 0o755);
    await rename(join(folder, name), join(folder, leaving));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  await removeTree(join(folder, leaving));
  return true;
}

/** Since when this Node's preparation has been in place; undefined if there is none. */
async function presentSince(folder: string): Promise<Date | undefined> {
  const name = (await list(folder)).find((each) => each.startsWith(ownRuntime));
  return name === undefined ? undefined : (await stat(join(folder, name))).ctime;
}

const list = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
