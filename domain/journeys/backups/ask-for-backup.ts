/** The owner requests a backup; apps/provisioner/backups/backup-loop.ts makes it. */
import { lockAccount } from "#domain/accounts/account-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { findOpenBackup, type BackupRow } from "#domain/backups/backup-store.ts";
import { requestBackup } from "#domain/backups/request-backup.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";
import { refuseTooManyADay } from "./daily-limit.ts";

/** While a backup is under way, returns that one and counts nothing. */
export async function askForBackup(
  { db, clock }: Services,
  { accountId, userId }: CurrentUser,
  workspace: NonNullable<CurrentUser["workspace"]>,
  address: string,
): Promise<BackupRow> {
  return db.transaction(async (tx) => {
    const now = clock.now();
    await lockAccount(tx, accountId);
    const open = await findOpenBackup(tx, workspace.id, "manual");
    if (open) return open;
    await refuseTooManyADay(tx, accountId, "backup.requested", "too_many_backups", now);
    const row = await requestBackup(tx, { ...workspace, accountId }, "manual", now);
    await writeAudit(tx, { accountId, userId, action: "backup.requested", after: { id: row.id }, address }, now);
    return row;
  });
}
