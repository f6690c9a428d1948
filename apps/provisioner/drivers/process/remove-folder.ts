/** Deletes a workspace's folder for good, in a way that can be broken off and repeated anywhere. */
import { randomBytes } from "node:crypto";
import { readdir, rename } from "node:fs/promises";
import path from "node:path";
import { hasCode } from "./driver-trouble.ts";
import { runProgram } from "./run-program.ts";

/** n8n leaves a few hundred files; a tenant may leave millions. */
const removeTimeoutMs = 600_000;

const prefixOf = (workspaceId: string): string => `.removed-${workspaceId}-`;

/** Moves the folder out of sight in one step, so that no half-deleted workspace is ever seen; undefined when there is none. */
export async function moveAside(workspacesDir: string, workspaceId: string): Promise<string | undefined> {
  const aside = path.join(workspacesDir, prefixOf(workspaceId) + randomBytes(6).toString("hex"));
  try {
    await rename(path.join(workspacesDir, workspaceId), aside);
    return aside;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Deletes what `moveAside` moved, now or before a crash. */
export async function deleteMovedAside(workspacesDir: string, workspaceId: string): Promise<void> {
  const names = await readdir(workspacesDir).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefixOf(workspaceId)))) {
    // rm walks folder by folder; Node joins paths, and a tenant can nest folders deeper than a path may be long.
    await runProgram({ program: "/bin/rm", args: ["-rf", "--", path.join(workspacesDir, name)], timeoutMs: removeTimeoutMs });
  }
}
