/** Makes a workspace's folder, and ensures that its user owns the workspace's data and nothing else. */
import { chmod, chown, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { DriverFailure } from "../../driver.ts";
import { settleReplacement } from "./place-arrived.ts";
import { runProgram, type Owner } from "../host/run-program.ts";
import { hasDisk } from "../sandbox/disk.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { WorkspacePaths } from "./workspace-paths.ts";

/** How long changing the owner of a large workspace, restored from elsewhere, may take. */
const chownTimeoutMs = 120_000;

/**
 * Creates what is missing for a stopped workspace. With an owner, `data` is theirs and the rest is closed to them, except for passing
 * through; with a sandbox, `data` is a separate disk. An interrupted replacement is undone. Throws DriverFailure.
 */
export async function prepareFolder(paths: WorkspacePaths, owner: Owner | undefined, sandbox: Sandbox | undefined): Promise<void> {
  if (owner) await refuseOthersNumber(paths, owner);
  const isNew = (await mkdir(paths.root, { recursive: true, mode: 0o700 })) !== undefined;
  for (const folder of [paths.run, paths.logs, paths.data]) await mkdir(folder, { recursive: true, mode: 0o700 });
  if (isNew && sandbox && owner) await writeFile(paths.neutral, "", { mode: 0o600 });
  if (sandbox && owner) await sandbox.prepareDisks(paths, owner);
  // Its folder without its disk looks like a workspace that has lost everything, and must not be started.
  else if (await hasDisk(paths))
    throw new DriverFailure("storage_failed", "the workspace's data is on its own disk, which cannot be mounted here");
  if (process.getuid?.() === 0) {
    await chown(paths.root, 0, owner?.gid ?? 0);
    await chmod(paths.root, owner ? 0o710 : 0o700);
    await giveAway(paths.data, owner ?? { uid: 0, gid: 0 });
  }
  await settleReplacement(paths.data, owner);
}

/** Throws DriverFailure if another workspace's folder has this user. Looks at the others only for a folder that is new or of another user. */
async function refuseOthersNumber({ root }: WorkspacePaths, { gid }: Owner): Promise<void> {
  const groupOf = async (folder: string) => (await stat(folder).catch(() => undefined))?.gid;
  if ((await groupOf(root)) === gid) return;
  const all = path.dirname(root);
  for (const workspaceId of await readdir(all).catch(() => []))
    // Others are of workspaces that are being removed.
    if (workspaceId !== path.basename(root) && !workspaceId.startsWith(".") && (await groupOf(path.join(all, workspaceId))) === gid)
      throw new DriverFailure(
        "storage_failed",
        `the user ${gid} is that of the workspace ${workspaceId} on this host, whose files it could read`,
      );
}

/** Gives a workspace's data to its user, who has another id in a folder restored elsewhere. Quick if it is theirs already. */
export async function giveAway(data: string, owner: Owner): Promise<void> {
  if ((await stat(data)).uid === owner.uid) return;
  await runProgram({ program: "/bin/chown", args: ["-R", "-h", "-P", `${owner.uid}:${owner.gid}`, "--", data], timeoutMs: chownTimeoutMs });
}
