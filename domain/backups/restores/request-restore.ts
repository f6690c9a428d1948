/** Requests that a workspace's contents are replaced by a backup; apps/provisioner/reconcile/steps/restore-backup.ts does it. */
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
import { isNewer } from "#domain/workspaces/newer-version.ts";
import { lockLivingWorkspace } from "#domain/workspaces/settings/settings-store.ts";
import { beginStory, refuseOtherLife, StoryInTheWay } from "#domain/workspaces/stories/begin-story.ts";
import { announceWorkspace } from "#domain/workspaces/workspace-store.ts";
import { holdBackup } from "../expired-backup-store.ts";
import { insertRestore, type RestoreRow } from "./restore-store.ts";

interface RestoreWish {
  accountId: string;
  accountName: string;
  backupId: string;
  /** Absent: whichever life the workspace is in. */
  life?: number | undefined;
  /** Who asks, for the journal. */
  actor: string;
}

/**
 * In the caller's transaction. Refuses, with AppError, a backup of another workspace or a newer release, a stopped workspace, one whose
 * version is being changed, and a second restore at the same time. All are checked under the workspace's lock, which version changes take
 * as well.
 */
export async function requestRestore(tx: Connection, wish: RestoreWish, now: Date): Promise<RestoreRow> {
  const { accountId, accountName, backupId, life, actor } = wish;
  const found = await lockLivingWorkspace(tx, accountId);
  refuseOtherLife(found, life);
  const workspace = await beginStory(tx, found.id, "restore", now).catch((error: unknown) => {
    throw error instanceof StoryInTheWay ? new AppError(`${error.open}_under_way`) : error;
  });
  if (workspace.desiredState !== "running") throw new AppError("workspace_not_online");
  const row = await holdBackup(tx, backupId);
  if (row?.accountId !== accountId || row.workspaceId !== workspace.id) throw new AppError("backup_not_usable");
  if (isNewer(row.engineVersion, workspace.desiredVersion)) throw new AppError("backup_newer");
  const isChanging = workspace.observedVersion !== null && workspace.observedVersion !== workspace.desiredVersion;
  if (isChanging) throw new AppError("update_under_way");
  const asked = await insertRestore(tx, { workspaceId: workspace.id, backupId: row.id, actor }, now);
  if (!asked) throw new AppError("restore_under_way");
  await announceWorkspace(tx, workspace.id, accountName);
  return asked;
}
