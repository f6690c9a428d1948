/** Removes a backup, unless an open update or restore needs it: from the lists first, then its file, then its row. */
import type { Connection, Database } from "#platform/database.ts";
import { deleteRemoved, isBackupNeeded, lockBackup, markRemoved } from "./expired-backup-store.ts";
import { readBackup } from "./backup-store.ts";
import type { BackupStorage } from "./storage/backup-storage.ts";
import { storedByAnyTry } from "./stored-backup.ts";

/** Why nothing was marked; `gone`: it was removed before, or is being removed. */
export type NotRemoved = "gone" | "under-way" | "needed";

/** In the caller's transaction: removes the backup from the lists and returns null; call `finishRemoval` next. */
export async function beginRemoval(tx: Connection, id: string, now: Date): Promise<NotRemoved | null> {
  const row = await lockBackup(tx, id);
  if (!row || row.state === "removed") return "gone";
  if (row.state === "waiting" || row.state === "running") return "under-way";
  if (await isBackupNeeded(tx, id)) return "needed";
  await markRemoved(tx, id, now);
  return null;
}

/**
 * Removes the file, leftovers of other tries, and then the row: after a crash in between, the sweep repeats it. Rejects if the storage
 * cannot be reached.
 */
export async function finishRemoval({ db, storage }: { db: Database; storage: BackupStorage }, id: string): Promise<void> {
  const row = await readBackup(db, id);
  if (row?.state !== "removed") return;
  for (const name of storedByAnyTry(row)) await storage.remove(name);
  await deleteRemoved(db, id);
}
