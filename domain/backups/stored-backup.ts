/** Under which names a backup lies in the storage: another for each try, so that two workers, of which one lost its lease, never write to one. */
import type { BackupRow } from "./backup-store.ts";

/** Of this try alone: each claim counts the tries on. */
export const tryOf = ({ id, attempts }: Pick<BackupRow, "id" | "attempts">): string => `${id}-${attempts}`;

/** What this try writes to. */
export const storedByTry = (row: Pick<BackupRow, "id" | "attempts">): string => `backups/${tryOf(row)}`;

/** The one that counts. Backups made before tries had names of their own lie under their id. */
export const storedBackup = ({ id, storedAs }: Pick<BackupRow, "id" | "storedAs">): string => storedAs ?? `backups/${id}`;

/** Every name under which a try up to this one may have left something, but for `kept`. */
export function storedByAnyTry({ id, attempts, storedAs }: Pick<BackupRow, "id" | "attempts" | "storedAs">, kept?: string): string[] {
  const names = new Set([
    storedBackup({ id, storedAs }),
    ...Array.from({ length: attempts }, (_, each) => storedByTry({ id, attempts: each + 1 })),
  ]);
  return [...names].filter((name) => name !== kept);
}
