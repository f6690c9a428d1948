/** The owner deletes a backup permanently. */
import { writeAudit } from "#domain/audit/audit-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { findBackup } from "#domain/backups/backup-store.ts";
import { beginRemoval, finishRemoval, type NotRemoved } from "#domain/backups/remove-backup.ts";
import type { ProblemCode } from "#contract/api/problem.ts";
import { AppError } from "#platform/app-error.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";

const refusals: Readonly<Record<NotRemoved, ProblemCode>> = {
  gone: "backup_not_found",
  "under-way": "backup_not_usable",
  needed: "backup_needed",
};

/** Refuses a backup that is still being made, and one that an update or restore needs. */
export async function deleteOwnBackup(
  { db, clock, stored, log }: Services,
  current: CurrentUser,
  id: string,
  address: string,
): Promise<void> {
  const { accountId, userId } = current;
  const row = await findBackup(db, accountId, id);
  if (!row) throw new AppError("backup_not_found");
  await db.transaction(async (tx) => {
    const now = clock.now();
    await lockPerson(tx, current);
    const kept = await beginRemoval(tx, id, now);
    if (kept) throw new AppError(refusals[kept]);
    await writeAudit(
      tx,
      { accountId, userId, action: "backup.deleted", before: { id, kind: row.kind, createdAt: row.createdAt }, address },
      now,
    );
  });
  await finishRemoval({ db, storage: stored.storage }, id).catch((err: unknown) =>
    log.warn({ err, backup: id }, "the file of a deleted backup could not be removed; the sweep tries again"),
  );
}
