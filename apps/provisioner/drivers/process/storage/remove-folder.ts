/** Deletes a workspace's folder permanently; can be interrupted and repeated anywhere. */
import { randomBytes } from "node:crypto";
import { readdir, rename, stat } from "node:fs/promises";
import path from "node:path";
import { hasCode } from "../../driver-trouble.ts";
import { runProgram, type Owner } from "../host/run-program.ts";

/** Groups outside of the installation's range are not its workspaces'. */
const numbersPerInstallation = 100_000;

/** n8n leaves a few hundred files; a tenant may leave millions. */
const removeTimeoutMs = 600_000;

const prefixOf = (workspaceId: string): string => `.removed-${workspaceId}-`;

/** Moves the folder out of the way in one step, so that a half-deleted workspace is never seen. Does nothing if there is none. */
export async function moveAside(workspacesDir: string, workspaceId: string): Promise<void> {
  const aside = path.join(workspacesDir, prefixOf(workspaceId) + randomBytes(6).toString("hex"));
  try {
    await rename(path.join(workspacesDir, workspaceId), aside);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

/** Folders that `moveAside` moved, now or before a crash, and that still have to be deleted. */
export async function listMovedAside(workspacesDir: string, workspaceId: string): Promise<string[]> {
  const names = await readdir(workspacesDir).catch(() => []);
  return names.filter((each) => each.startsWith(prefixOf(workspaceId))).map((name) => path.join(workspacesDir, name));
}

/** The name that `moveAside` gives a folder. */
const asideShape = /^\.removed-(.+)-[0-9a-f]+$/;

/** Ids of the workspaces with a folder, including those whose deletion was interrupted. */
export async function listStored(workspacesDir: string): Promise<string[]> {
  const names = await readdir(workspacesDir).catch((error: unknown) => {
    // A folder that cannot be read does not count as empty.
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });
  return [...new Set(names.map((name) => asideShape.exec(name)?.[1] ?? name))].filter((name) => !name.startsWith("."));
}

/**
 * The numbers of the workspaces with a folder, by id: its group is theirs alone, also while its disk is not mounted. `first`: the user of
 * number 0.
 */
export async function listNumbers(workspacesDir: string, first: Owner): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  for (const workspaceId of await listStored(workspacesDir)) {
    const folder = await stat(path.join(workspacesDir, workspaceId)).catch(() => undefined);
    const number = (folder?.gid ?? 0) - first.gid;
    if (number > 0 && number < numbersPerInstallation) numbers.set(workspaceId, number);
  }
  return numbers;
}

/** Deletes a folder of any depth with rm, which walks it: Node joins paths, and a tenant can nest deeper than a path may be long. */
export function deleteFolder(folder: string): Promise<void> {
  return runProgram({ program: "/bin/rm", args: ["-rf", "--", folder], timeoutMs: removeTimeoutMs });
}
