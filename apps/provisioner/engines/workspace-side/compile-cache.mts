/**
 * Loaded before the tool's own program (--import). It lets Node use what the release's rehearsal compiled, which is read-only and shared by
 * all workspaces of the host. Without it, or under another Node, the tool compiles its files itself.
 */
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { constants, enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cachedDataVersionTag } from "node:v8";
import { isMainThread } from "node:worker_threads";

/** The folder that was prepared for this very Node; undefined if there is none. */
export function findPrepared(): string | undefined {
  const tag = cachedDataVersionTag().toString(16).padStart(8, "0");
  const prepared = join(process.env["SLIPWAY_PREPARED"] ?? "", `${process.version}-${process.arch}-${tag}`);
  return existsSync(prepared) ? prepared : undefined;
}

/**
 * Node adds the user's id to the folder's name, and each workspace has its own user: a link in a folder of the workspace points to the
 * shared one. That folder is created again at each start.
 */
function useCompiled(prepared: string): void {
  const links = join(tmpdir(), "compiled");
  try {
    rmSync(links, { recursive: true, force: true });
    mkdirSync(links, { recursive: true });
    const name = prepared.slice(prepared.lastIndexOf("/") + 1);
    symlinkSync(join(prepared, "compiled"), join(links, `${name}-${process.getuid?.() ?? 0}`));
    const { status, message } = enableCompileCache(links);
    if (status === constants.compileCacheStatus.FAILED) throw new Error(message);
    console.log("quick start: compiled code");
  } catch (error) {
    console.warn(`this start compiles everything itself: ${(error as Error).message}`);
  }
}

// Threads and programs that the tool starts may load this file as well, but are not starts of it.
if (isMainThread && process.env["SLIPWAY_COMPILED"] === undefined) {
  process.env["SLIPWAY_COMPILED"] = "yes";
  const prepared = findPrepared();
  if (prepared !== undefined) useCompiled(prepared);
}
