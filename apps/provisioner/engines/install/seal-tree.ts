/** Installed engines are shared by all workspaces: all users may read them, none may write. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Makes a tree read-only, and readable for all users whatever the umask was. */
export async function sealTree(folder: string): Promise<void> {
  await run("chmod", ["-R", "a-w,a+rX", folder]);
}

/**
 * Resolves once everything below the folder is on the disk. A rename reaches the disk soon, file contents may follow half a minute later:
 * after a power cut in between, a tree that looks complete would be empty.
 */
export async function syncTree(folder: string, signal?: AbortSignal): Promise<void> {
  // Syncs all of its file system. If `sync` has no options, all file systems.
  await run("sync", ["-f", folder], { signal }).catch(() => run("sync", [], { signal }));
}

/** Removes a tree, sealed or not, complete or not. */
export async function removeTree(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  // Without root, a read-only folder can't be emptied.
  await run("chmod", ["-R", "u+w", folder]).catch(() => undefined);
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
