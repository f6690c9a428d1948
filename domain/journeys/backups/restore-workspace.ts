/** The owner replaces the workspace's contents with a backup. */
import { fieldMessage } from "#contract/api/field-words.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { findBackup } from "#domain/backups/backup-store.ts";
import { requestRestore } from "#domain/backups/restores/request-restore.ts";
import type { RestoreRow } from "#domain/backups/restores/restore-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";

/** Refuses what requestRestore refuses, and a confirmation that does not name the account. */
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
    const asked = await requestRestore(tx, { accountId, accountName, backupId: wish.id, life: wish.life, actor: fullName }, now);
    await writeAudit(tx, { accountId, userId, action: "backup.restored", after: { backup: wish.id }, address: wish.address }, now);
    return asked;
  });
}
