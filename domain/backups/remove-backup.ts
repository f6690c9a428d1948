/** Removes a backup, unless an update or a restore that has not ended needs it: out of the lists first, then its file, then its row. */
import type { Connection, Database } from "#platform/database.ts";
import { deleteRemoved, isBackupNeeded, lockBackup, markRemoved, readBackup } from "./backup-store.ts";
import type { BackupStorage } from "./storage/backup-storage.ts";
import { storedByAnyTry } from "./stored-backup.ts";

/** Why nothing was marked; `gone`: it was removed before, or is being removed. */
export type NotRemoved = "gone" | "under-way" | "needed";

/** In the caller's transaction: takes the backup out of the lists. Null when that was done; `finishRemoval` is to follow. */
export async function beginRemoval(tx: Connection, id: string, now: Date): Promise<NotRemoved | null> {
  const row = await lockBackup(tx, id);
  if (!row || row.state === "removed") return "gone";
  if (row.state === "waiting" || row.state === "running") return "under-way";
  if (await isBackupNeeded(tx, id)) return "needed";
  await markRemoved(tx, id, now);
  return null;
}

/** Removes the file, what other tries may have left, and then the row: a crash between the two is repeated by the sweep. Rejects where the storage cannot be reached. */
export async function finishRemoval({ db, storage }: { db: Database; storage: BackupStorage }, id: string): Promise<void> {
  const row = await readBackup(db, id);
  if (row?.state !== "removed") return;
  for (const name of storedByAnyTry(row)) await storage.remove(name);
  await deleteRemoved(db, id);
}
