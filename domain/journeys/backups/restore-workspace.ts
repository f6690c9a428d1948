/** The owner replaces the workspace's contents with a backup; apps/provisioner/reconcile/steps/restore-backup.ts does it. */
import { fieldMessage } from "#contract/api/field-words.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { findBackup } from "#domain/backups/backup-store.ts";
import { holdBackup } from "#domain/backups/expired-backup-store.ts";
import { isNewer } from "#domain/workspaces/newer-version.ts";
import { insertRestore, type RestoreRow } from "#domain/backups/restores/restore-store.ts";
import { beginStory, StoryInTheWay } from "#domain/workspaces/stories/begin-story.ts";
import { refuseOtherLife } from "#domain/workspaces/stories/begin-story.ts";
import { lockLivingWorkspace } from "#domain/workspaces/settings/settings-store.ts";
import { announceWorkspace } from "#domain/workspaces/workspace-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";

/**
 * Refuses a backup of another workspace or a newer release, a stopped workspace, one whose version is being changed, and a second restore
 * at the same time. All are checked under the workspace's lock, which version changes take as well.
 */
export async function restoreWorkspace(
  { db, clock, instanceOperations }: Services,
  current: CurrentUser,
  wish: { id: string; accountName: string; life?: number | undefined; address: string },
): Promise<RestoreRow> {
  const { accountId, accountName, userId, fullName } = current;
  if (!instanceOperations) throw new AppError("instance_operations_off");
  if (wish.accountName !== accountName) {
    throw new AppError("validation_failed", {
      errors: [{ path: "accountName", code: "account_name.confirmation", message: fieldMessage("account_name.confirmation") }],
    });
  }
  if (!(await findBackup(db, accountId, wish.id))) throw new AppError("backup_not_found");
  return db.transaction(async (tx) => {
    const now = clock.now();
    await lockPerson(tx, current);
    const found = await lockLivingWorkspace(tx, accountId);
    refuseOtherLife(found, wish.life);
    const workspace = await beginStory(tx, found.id, "restore", now).catch((error: unknown) => {
      throw error instanceof StoryInTheWay ? new AppError(`${error.open}_under_way`) : error;
    });
    if (workspace.desiredState !== "running") throw new AppError("workspace_not_online");
    const row = await holdBackup(tx, wish.id);
    if (row?.accountId !== accountId || row.workspaceId !== workspace.id) throw new AppError("backup_not_usable");
    if (isNewer(row.engineVersion, workspace.desiredVersion)) throw new AppError("backup_newer");
    const isChanging = workspace.observedVersion !== null && workspace.observedVersion !== workspace.desiredVersion;
    if (isChanging) throw new AppError("update_under_way");
    const asked = await insertRestore(tx, { workspaceId: workspace.id, backupId: row.id, actor: fullName }, now);
    if (!asked) throw new AppError("restore_under_way");
    await writeAudit(tx, { accountId, userId, action: "backup.restored", after: { backup: row.id }, address: wish.address }, now);
    await announceWorkspace(tx, workspace.id, accountName);
    return asked;
  });
}
