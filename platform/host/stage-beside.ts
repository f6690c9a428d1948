/**
 * Folders in which something is made beside its place, to be moved there when it is complete. Any process may be killed while it makes
 * something, and several may make the same.
 */
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

/** Nothing takes this long to make. For folders of processes that cannot be looked up: on another host, or in another container. */
const leftoverMs = 3_600_000;

const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

/**
 * A new folder on the disk of `place`, which the caller removes. First removes what killed processes left that were making the same: their
 * folders would stay forever, because `place` is made only once.
 */
export async function stageBeside(place: string, remove = removeFolder): Promise<string> {
  await mkdir(dirname(place), { recursive: true, mode: 0o755 });
  await removeLeftovers(place, remove);
  return mkdtemp(`${prefixOf(place)}${hostname()}-${process.pid}-`);
}

async function removeLeftovers(place: string, remove: (folder: string) => Promise<void>): Promise<void> {
  const prefix = basename(prefixOf(place));
  for (const name of await readdir(dirname(place)).catch(() => []))
    if (name.startsWith(prefix) && (await isLeft(join(dirname(place), name), name.slice(prefix.length))))
      await remove(join(dirname(place), name));
}

const prefixOf = (place: string): string => join(dirname(place), `.${basename(place)}.new-`);

/** `maker` is the host's name, the process and random letters. */
async function isLeft(folder: string, maker: string): Promise<boolean> {
  const [, host, pid] = /^(.*)-(\d+)-[^-]*$/.exec(maker) ?? [];
  if (host === hostname() && Number(pid) !== process.pid && !isAlive(Number(pid))) return true;
  const made = await stat(folder).catch(() => undefined);
  return made !== undefined && Date.now() - made.mtimeMs > leftoverMs;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
