import { killHolders, killProcesses } from "./running/end-processes.ts";
import type { ProcessHost } from "./host/process-host.ts";
import { readRecord } from "./running/process-record.ts";
import { killable } from "./run-workspace.ts";
import { deleteFolder, listMovedAside, moveAside } from "./storage/remove-folder.ts";
import { pathsBelow } from "./storage/workspace-paths.ts";

/** Kills what runs, without a graceful stop because nothing is kept, and deletes all of the workspace's data. */
export async function removeWorkspace(host: ProcessHost, workspaceId: string): Promise<void> {
  await end(host, host.paths(workspaceId).root);
  await moveAside(host.workspacesDir, workspaceId);
  for (const aside of await listMovedAside(host.workspacesDir, workspaceId)) {
    await endLatecomers(host, aside);
    await deleteFolder(aside);
  }
  host.ports.release(workspaceId);
  host.exits.forget(workspaceId);
  host.ready.forget(workspaceId);
  host.children.delete(workspaceId);
  host.shares?.forget(workspaceId);
}

/** Kills what runs, without a graceful stop because another host runs it, and keeps its data. */
export async function endWorkspace(host: ProcessHost, workspaceId: string): Promise<void> {
  const paths = host.paths(workspaceId);
  await killHolders(paths.lock);
  await end(host, paths.root);
}

async function end(host: ProcessHost, root: string): Promise<void> {
  const record = await readRecord(pathsBelow(root));
  if (record) await killProcesses({ folder: root, record, ...killable(host, record) });
  await host.sandbox?.dismantle(pathsBelow(root));
}

/** A start left unfinished by a dead control plane may have recorded itself since; once the folder has moved, none can. */
async function endLatecomers(host: ProcessHost, aside: string): Promise<void> {
  await killHolders(pathsBelow(aside).lock);
  await end(host, aside);
}
