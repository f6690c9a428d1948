/**
 * Moves files that were unpacked beside a workspace's own into place, all or none, even if interrupted. Runs as the workspace's own user,
 * like everything that touches a tenant's files.
 */
import { lstat } from "node:fs/promises";
import path from "node:path";
import { hasCode } from "../../driver-trouble.ts";
import { runProgram, type Owner } from "../host/run-program.ts";
import { arriving, discardScript, leaving, left, placeScript, settleScript } from "../../storage-scripts.ts";

const moveTimeoutMs = 600_000;

/**
 * Cleans up after a worker that died in a replacement: the old files are restored and the leftovers deleted. Called before every start,
 * because that replacement may never be tried again. `paths` are for replacements begun by an older program, which wrote no names.
 */
export async function settleReplacement(data: string, owner: Owner | undefined, paths: readonly string[] = []): Promise<void> {
  for (const name of [arriving, leaving, left]) if (await isThere(path.join(data, name))) return run(data, owner, settleScript, paths);
}

/** Replaces `paths` with what was unpacked, all or none. */
export const placeArrived = (data: string, owner: Owner | undefined, paths: readonly string[]): Promise<void> =>
  run(data, owner, placeScript, paths);

export const discardArrived = (data: string, owner: Owner | undefined): Promise<void> => run(data, owner, discardScript);

function run(data: string, owner: Owner | undefined, script: string, paths: readonly string[] = []): Promise<void> {
  return runProgram({
    program: "/bin/sh",
    args: ["-c", script, "sh", ...paths],
    ...(owner && { owner }),
    cwd: data,
    timeoutMs: moveTimeoutMs,
  });
}

async function isThere(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}
