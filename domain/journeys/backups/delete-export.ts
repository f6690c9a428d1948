/** The owner deletes an export before its time ends. */
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { deleteExport, expireExport, findExport, storedExport } from "#domain/exports/export-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";

/** Refuses an export that is still being made. */
export async function deleteOwnExport(
  { db, clock, stored, log }: Services,
  current: CurrentUser,
  id: string,
  address: string,
): Promise<void> {
  const { accountId, userId } = current;
  const row = await findExport(db, accountId, id, clock.now());
  if (!row) throw new AppError("export_not_found");
  await db.transaction(async (tx) => {
    const now = clock.now();
    await lockPerson(tx, current);
    if (!(await expireExport(tx, id, now)))
      throw new AppError((await findExport(tx, accountId, id, now)) ? "export_not_finished" : "export_not_found");
    const { withCredentials, createdAt } = row;
    await writeAudit(tx, { accountId, userId, action: "export.deleted", before: { id, withCredentials, createdAt }, address }, now);
  });
  try {
    await stored.storage.remove(storedExport(id));
    await deleteExport(db, id);
  } catch (err) {
    log.warn({ err, export: id }, "the file of a deleted export could not be removed; the sweep tries again");
  }
}
