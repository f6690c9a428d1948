/** Installed engines are shared by all workspaces: everyone may read them, nobody may write. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Takes every right to write from a tree, and gives everyone the right to read it whatever the umask was. */
export async function sealTree(folder: string): Promise<void> {
  await run("chmod", ["-R", "a-w,a+rX", folder]);
}

/** Removes a tree, sealed or not, half-made or not. */
export async function removeTree(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  // Without root, a folder without the right to write can't be emptied.
  await run("chmod", ["-R", "u+w", folder]).catch(() => undefined);
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
